package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write golden.txt anew; judge each line that then says "+unjudged)

const (
	goldenFile = "golden.txt"
	unjudged   = "UNJUDGED"
)

// module is one module that is linted, and the packages of it that are.
type module struct {
	path     string
	packages []string
	scripts  int // outside tests, as counted by hand
}

var modules = []module{
	{"github.com/hibiken/asynq", []string{"github.com/hibiken/asynq/..."}, 49},
	{"github.com/bsm/redislock", []string{"github.com/bsm/redislock"}, 4},
	{"github.com/go-redis/redis_rate/v10", []string{"github.com/go-redis/redis_rate/v10"}, 2},
	{"github.com/ulule/limiter/v3", []string{"github.com/ulule/limiter/v3/drivers/store/redis"}, 2},
	{"github.com/throttled/throttled/v2", []string{"github.com/throttled/throttled/v2/store/goredisstore", "github.com/throttled/throttled/v2/store/goredisstore.v8",
		"github.com/throttled/throttled/v2/store/goredisstore.v9", "github.com/throttled/throttled/v2/store/redigostore"}, 4},
	{"github.com/go-redsync/redsync/v4", []string{"github.com/go-redsync/redsync/v4", "github.com/go-redsync/redsync/v4/redis",
		"github.com/go-redsync/redsync/v4/redis/redigo", "github.com/go-redsync/redsync/v4/redis/goredis/v9"}, 3},
	{"github.com/centrifugal/centrifuge", []string{"github.com/centrifugal/centrifuge"}, 17},
	{"github.com/zeromicro/go-zero", []string{"github.com/zeromicro/go-zero/core/limit", "github.com/zeromicro/go-zero/core/bloom",
		"github.com/zeromicro/go-zero/core/stores/redis"}, 6},
	{"github.com/cschleiden/go-workflows", []string{"github.com/cschleiden/go-workflows/backend/redis/..."}, 11},
	{"github.com/dapr/components-contrib", []string{"github.com/dapr/components-contrib/common/component/redis", "github.com/dapr/components-contrib/state/redis",
		"github.com/dapr/components-contrib/lock/redis"}, 5},
}

// output is what -format=json prints (docs/formats.md), as far as it is looked at here.
type output struct {
	Findings []struct {
		Rule, Severity, File, Message string
		Line, Column                  int
	}
	Scripts []struct {
		Name, File, Reason string
		Line               int
		Calls, Counted     int
		Analysed           bool
	}
}

// TestGolden lints real modules and compares scripts and findings with golden.txt, where each finding is judged in a comment.
func TestGolden(t *testing.T) {
	bin := build(t)
	old, judged := readGolden(t)
	var b strings.Builder
	b.WriteString("# What redislint says of the modules in go.mod, outside their tests. Behind each finding stands whether it is right, and why.\n")
	total, wanted, calls, counted := 0, 0, 0, 0
	for _, m := range modules {
		out := lint(t, bin, ".", m.packages)
		total, wanted = total+len(out.Scripts), wanted+m.scripts
		c, k := callSites(out)
		calls, counted = calls+c, counted+k
		describe(&b, m, out, judged)
	}
	fmt.Fprintf(&b, "total: %d scripts of %d, %d call sites, %d of them with a known number of keys\n", total, wanted, calls, counted)
	got := b.String()
	if *update {
		if err := os.WriteFile(goldenFile, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if got != old {
		t.Errorf("findings differ from %s; go test -update and judge what is new\n%s", goldenFile, firstDifference(old, got))
	}
	if strings.Contains(got, unjudged) {
		t.Errorf("%s has findings that nobody has judged", goldenFile)
	}
	t.Logf("%d of %d scripts, %d findings", total, wanted, strings.Count(got, "\n\t"))
}

func build(t *testing.T) string {
	bin := filepath.Join(t.TempDir(), "redislint")
	cmd := exec.Command("go", "build", "-o", bin, "./cmd/redislint")
	cmd.Dir = "../.."
	if msg, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, msg)
	}
	return bin
}

// lint runs the standalone mode in the folder of a module, over packages.
func lint(t *testing.T, bin, dir string, packages []string) output {
	cmd := exec.Command(bin, append([]string{"-format=json", "-tests=false"}, packages...)...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	data, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && (exit.ExitCode() == 1 || exit.ExitCode() == 3)) {
		t.Fatalf("%v: %v\n%s", packages, err, &stderr)
	}
	var out output
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatalf("%v: %v\n%s", packages, err, &stderr)
	}
	return out
}

// callSites counts the calls that run scripts, and those of them that pass a known number of keys.
func callSites(out output) (calls, counted int) {
	for _, s := range out.Scripts {
		calls, counted = calls+s.Calls, counted+s.Counted
	}
	return calls, counted
}

func describe(b *strings.Builder, m module, out output, judged map[string]string) {
	calls, counted := callSites(out)
	fmt.Fprintf(b, "%s: %d scripts, %d call sites, %d of them with a known number of keys\n", m.path, len(out.Scripts), calls, counted)
	for _, s := range out.Scripts {
		if !s.Analysed {
			fmt.Fprintf(b, "  not analysed: %s:%d %s: %s\n", short(s.File, m), s.Line, s.Name, s.Reason)
		}
	}
	var lines []string
	for _, f := range out.Findings {
		line := fmt.Sprintf("%s:%d: %s: %s: %s", short(f.File, m), f.Line, f.Severity, f.Rule, f.Message)
		why := judged[m.path+" "+line]
		if why == "" {
			why = unjudged
		}
		lines = append(lines, "\t"+line+"\n\t\t# "+why+"\n")
	}
	sort.Strings(lines)
	b.WriteString(strings.Join(lines, ""))
}

// short is a file's name inside its module.
func short(file string, m module) string {
	if _, rest, ok := strings.Cut(file, m.path+"@"); ok {
		_, rest, _ = strings.Cut(rest, "/")
		return rest
	}
	return file
}

func readGolden(t *testing.T) (text string, judged map[string]string) {
	data, err := os.ReadFile(goldenFile)
	if err != nil && !*update {
		t.Fatal(err)
	}
	judged = map[string]string{}
	var mod, last string
	for sc := bufio.NewScanner(bytes.NewReader(data)); sc.Scan(); {
		line := sc.Text()
		switch {
		case strings.HasPrefix(line, "\t\t# "):
			if why := strings.TrimPrefix(line, "\t\t# "); why != unjudged {
				judged[mod+" "+last] = why
			}
		case strings.HasPrefix(line, "\t"):
			last = strings.TrimPrefix(line, "\t")
		case !strings.HasPrefix(line, " "):
			mod, _, _ = strings.Cut(line, ":")
		}
	}
	return string(data), judged
}

func firstDifference(a, b string) string {
	al, bl := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(al), len(bl)) {
		if al[i] != bl[i] {
			return fmt.Sprintf("line %d\n- %s\n+ %s", i+1, al[i], bl[i])
		}
	}
	return fmt.Sprintf("%d lines became %d", len(al), len(bl))
}
