// Package dashboard serves the live page: what an application's evaluations, or
// a dataset run, are doing now, over server-sent events.
//
// [New] makes a [Server] of a [Config], [Server.Offer] takes results, and
// [Server.Start] or [Server.Serve] serve:
//
//	page, err := dashboard.New(dashboard.Config{Run: run.Status, Explanation: true})
//	…
//	url, err := page.Start("127.0.0.1:8377")
//	defer page.Shutdown(ctx)
//
// One goroutine, the sampler, asks the sources, four times a second while somebody
// watches and every five seconds while nobody does; it owns the history. It turns
// what it got into cells, small JSON values with names, and hands those that have
// changed to every stream. A stream is the goroutine of its request; it reads the
// feed of results itself, under the filter that it was asked for. Nobody waits for
// a browser: a stream that is behind is given everything anew.
package dashboard
