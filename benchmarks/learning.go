package main

import (
	"fmt"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
	"github.com/genaievals/genaievals/internal/limitsim"
	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/manager"
)

func learningClaims() []claim {
	return []claim{
		{name: "unknown_limit", bound: 0, says: "cells of the table that fall short: share of what the judge permits, and of calls refused, for unknown limits of every kind",
			measure: unknownLimit},
		{name: "limit_change", bound: 0, says: "rows that fall short when a limit is halved and restored, and when RATE_LIMIT is twice the truth",
			measure: limitChange},
	}
}

const (
	firstSeed = 1000 // not those that the constants were tuned on
	seeds     = 20
)

// unknownLimit runs half an hour of saturated demand against each policy, by
// this gate and by the usual rules.
func unknownLimit() (short float64, err error) {
	fmt.Printf("%d seeds, 30 minutes each, medians: accepted of permitted / refused of all calls\n\n%-16s %-8s", seeds, "policy", "headers")
	for _, c := range limitsim.Clients() {
		fmt.Printf(" %16s", c.Name)
	}
	fmt.Println()
	for _, policy := range limitsim.Policies() {
		for _, headers := range []bool{true, false} {
			fmt.Printf("%-16s %-8t", policy.Name, headers)
			for i, client := range limitsim.Clients() {
				reports := limitsim.RunSeeds(limitsim.Experiment{Policy: policy, Client: client, Headers: headers}, firstSeed, seeds)
				share := limitsim.Median(reports, limitsim.Report.Share)
				refused := limitsim.Median(reports, limitsim.Report.RefusedShare)
				fmt.Printf("    %5.3f / %5.2f%%", share, 100*refused)
				if i > 0 {
					continue
				}
				if inside := limitsim.Median(reports, func(r limitsim.Report) float64 { return float64(r.Inside) }); inside > 0 {
					return 0, fmt.Errorf("%s: calls were sent before the end of a Retry-After", policy.Name)
				}
				least, most := 0.95, 0.02
				if !headers {
					least = 0.90
					if policy.Name == "TPM window" {
						most = 0.035
					}
				}
				if share < least || refused >= most && headers || refused > most {
					short++
					fmt.Print("!")
				}
			}
			fmt.Println()
		}
	}
	fmt.Println("\nin real time over HTTP, a judge of 50 ms that takes 4 calls at once and does not say so:")
	accepted, refused, err := learnFor(20*time.Second, judgetest.NewServer(judgetest.WithDelay(50*time.Millisecond),
		judgetest.WithPolicies(judgetest.Concurrency(4)), judgetest.WithLimitHeaders(judgetest.HeaderNone)), nil)
	fmt.Printf("%d accepted, %.2f%% refused (not part of the claim)\n", accepted, 100*refused)
	return short, err
}

// learnFor evaluates as fast as a judge lets it, for some time, by a gate that
// was told nothing.
func learnFor(length time.Duration, server *judgetest.Server, change func()) (accepted int, refusedShare float64, err error) {
	defer server.Close()
	client, err := openai.New(openai.Config{BaseURL: server.URL, Model: "judge"})
	if err != nil {
		return 0, 0, err
	}
	e, err := scripted("judge", client, limit.NewGate(limit.WithAdaptive(64)))
	if err != nil {
		return 0, 0, err
	}
	l, err := newLoad(manager.Config{Assignments: []evaluators.Assignment{assign(e, false)}, Concurrent: true, Workers: 64, QueueSize: 64})
	if err != nil {
		return 0, 0, err
	}
	defer l.stop()
	if change != nil {
		go change()
	}
	for began := time.Now(); time.Since(began) < length; time.Sleep(time.Millisecond) {
		answer(l.handler)
	}
	s := server.Stats()
	return s.Calls - s.RateLimited, float64(s.RateLimited) / float64(max(1, s.Calls)), nil
}

// limitChange halves a limit after 10 minutes, and restores it after 20.
func limitChange() (short float64, err error) {
	fmt.Printf("%d seeds, medians: time until 0.85 of the permitted was let in again\n\n%-24s %-8s %10s %10s %22s %8s\n",
		seeds, "policy", "headers", "fall", "rise", "calls at the old rate", "share")
	adaptive := limitsim.Clients()[0]
	for _, policy := range limitsim.Policies() {
		for _, headers := range []bool{true, false} {
			e := limitsim.Experiment{Policy: policy, Client: adaptive, Headers: headers, Halve: 10 * time.Minute, Restore: 20 * time.Minute}
			reports := limitsim.RunSeeds(e, firstSeed, seeds)
			fall := limitsim.Median(reports, func(r limitsim.Report) float64 { return r.Fall.Seconds() })
			rise := limitsim.Median(reports, func(r limitsim.Report) float64 { return r.Rise.Seconds() })
			calls := limitsim.Median(reports, func(r limitsim.Report) float64 { return r.Rise.Seconds() * r.Before })
			share := limitsim.Median(reports, limitsim.Report.Share)
			bad := false
			switch {
			case headers && policy.Described:
				bad = fall > 30 || rise > 30
			case headers:
				// The headers describe another limit than the one that binds.
			case policy.Name == "GCRA b1":
				bad = share < 0.70 || calls > 300
			case policy.Token:
				bad = fall > 30
			default:
				bad = fall > 30 || calls > 300
			}
			mark := ""
			if bad {
				short++
				mark = " !"
			}
			fmt.Printf("%-24s %-8t %9.0fs %9.0fs %22.0f %8.3f%s\n", policy.Name, headers, fall, rise, calls, share, mark)
		}
	}
	fmt.Println("\nRATE_LIMIT set to double the truth (1 call a second permitted, 2 told):")
	for _, policy := range limitsim.Policies()[:6] {
		for _, headers := range []bool{true, false} {
			reports := limitsim.RunSeeds(limitsim.Experiment{Policy: policy, Client: adaptive, Headers: headers, RateLimit: 2}, firstSeed, seeds)
			share := limitsim.Median(reports, limitsim.Report.Share)
			refused := limitsim.Median(reports, limitsim.Report.RefusedShare)
			least := 0.95
			if !headers {
				least = 0.90
			}
			mark := ""
			if share < least || refused > 0.02 {
				short++
				mark = " !"
			}
			fmt.Printf("%-24s %-8t %5.3f of permitted, %5.2f%% refused%s\n", policy.Name, headers, share, 100*refused, mark)
		}
	}
	fmt.Println("\nin real time over HTTP, 40 calls a second, 20 from 10 s to 20 s, with headers:")
	const latency = 50 * time.Millisecond
	server := judgetest.NewServer(judgetest.WithDelay(latency), judgetest.WithPolicies(judgetest.Bucket(40, time.Second, 10)),
		judgetest.WithLimitHeaders(judgetest.HeaderRetryAfterMs|judgetest.HeaderRateLimits))
	accepted, refused, err := learnFor(30*time.Second, server, func() {
		time.Sleep(10 * time.Second)
		server.SetPolicies(judgetest.Bucket(20, time.Second, 10))
		time.Sleep(10 * time.Second)
		server.SetPolicies(judgetest.Bucket(40, time.Second, 10))
	})
	fmt.Printf("%d of about 1000 accepted, %.2f%% refused (not part of the claim)\n", accepted, 100*refused)
	return short, err
}
