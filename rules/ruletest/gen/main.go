// Command gen writes the files that follow from the rules. go generate ./rules runs it three times, since each step is compiled into
// the next: `gen list` writes rules/all.go, `gen answers` asks a redis-server and writes rules/answers.json, `gen docs` writes
// docs/rules.md. Without a redis-server on PATH the answers stay as they are, and it says so.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/redislint/redislint/rules"
	"github.com/redislint/redislint/rules/ruletest"
)

func main() {
	steps := map[string]func() error{"list": list, "answers": answers, "docs": docs}
	var step func() error
	if len(os.Args) == 2 {
		step = steps[os.Args[1]]
	}
	if step == nil {
		fmt.Fprintln(os.Stderr, "usage, in the folder rules: gen list|answers|docs")
		os.Exit(2)
	}
	if err := step(); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func list() error {
	found, err := ruletest.FindRules(".")
	if err != nil {
		return err
	}
	text, err := ruletest.ListFile(found)
	if err != nil {
		return err
	}
	return write("all.go", text)
}

func answers() error {
	redis, err := ruletest.StartRedis()
	if errors.Is(err, ruletest.ErrNoServer) {
		fmt.Fprintln(os.Stderr, "gen: answers.json stays as it is:", err)
		return nil
	}
	if err != nil {
		return err
	}
	defer redis.Stop()
	cluster, err := ruletest.StartCluster()
	if err != nil {
		return err
	}
	defer cluster.Stop()
	a, err := ruletest.Collect(rules.All(), redis, cluster)
	if err != nil {
		return err
	}
	text, err := ruletest.AnswersFile(a)
	if err != nil {
		return err
	}
	return write("answers.json", text)
}

func docs() error { return write("../docs/rules.md", []byte(ruletest.Docs(rules.All()))) }

func write(path string, text []byte) error {
	changed, err := ruletest.WriteChanged(path, text)
	if changed {
		fmt.Println("wrote", path)
	}
	return err
}
