# Targets with a "##" comment are listed by `make help`.

SHELL       := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

FUZZTIME      ?= 30s
STATICCHECK   ?= honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOLANGCI_LINT ?= github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: test
test: ## Run all tests
	go test ./...

.PHONY: test-race
test-race: ## Run all tests under the race detector, in random order
	go test -race -shuffle=on ./...

.PHONY: lint
lint: ## Vet, gofmt, staticcheck and golangci-lint
	go vet ./...
	$(MAKE) --no-print-directory fmt-check
	go run $(STATICCHECK) ./...
	go run $(GOLANGCI_LINT) run

.PHONY: fmt
fmt: ## Format the code
	gofmt -w .

.PHONY: fmt-check
fmt-check: ## Fail when a file is not formatted
	@unformatted=$$(gofmt -l .); if [[ -n $$unformatted ]]; then echo "not formatted:" $$unformatted; exit 1; fi

.PHONY: tidy
tidy: ## Bring go.mod and go.sum in order
	go mod tidy

.PHONY: tidy-check
tidy-check: ## Fail when go.mod or go.sum are not in order
	go mod tidy -diff

.PHONY: bench
bench: ## Measure every claim on an idle machine; fails when one falls short
	@bin=$$(mktemp -d); trap 'rm -rf "$$bin"' EXIT; \
	go build -o "$$bin/benchmarks" ./benchmarks; \
	claims=$$("$$bin/benchmarks" -list | awk 'NF {print $$1}'); short=; \
	for claim in $$claims; do "$$bin/benchmarks" "$$claim" || short="$$short $$claim"; done; \
	go -C benchmarks/tokens run . || short="$$short prompt_overhead"; \
	if [[ -n $$short ]]; then echo "fell short:$$short"; exit 1; fi

.PHONY: fuzz
fuzz: ## Run every fuzz target for FUZZTIME (30s) each
	@grep -rHo --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*' . | sort | \
	while IFS=: read -r file func; do \
		echo "== $${file%/*} $${func#func }"; \
		go -C "$${file%/*}" test -run='^$$' -fuzz="^$${func#func }\$$" -fuzztime=$(FUZZTIME) . </dev/null; \
	done

.PHONY: ci
ci: ## Run every check of .ci/run
	bash .ci/run
