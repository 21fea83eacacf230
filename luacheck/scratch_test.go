package luacheck_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/tools/txtar"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/rules"
)

// job is one script to analyse.
type job struct {
	name string
	src  syntax.Source
	opt  luacheck.Options
	at   []luacheck.Site
}

// result is what is kept of a script, and how it looked when it was new.
type result struct {
	found   []rules.Finding
	outline *luacheck.Program
	text    string
}

// do analyses the script as a run of the tool does.
func (j *job) do(m *luacheck.Scratch) *result {
	opt := j.opt
	opt.Scratch = m
	p := luacheck.Analyze(j.src, j.at, opt)
	r := &result{found: rules.Check(p, rules.All())}
	r.found = rules.Suppress(p, r.found, rules.All())
	r.outline = p.Outline()
	r.text = r.String()
	return r
}

func (r *result) String() string {
	var b strings.Builder
	for _, f := range r.found {
		fmt.Fprintf(&b, "%s %v %v site %d %d %d %d: %s %+v %+v\n", f.Rule.Name, f.Severity, f.Span, f.Site, f.SitePart, f.Index, f.Caller, f.Message,
			f.Related, f.Fixes)
	}
	o := r.outline
	fmt.Fprintf(&b, "%q %v %+v %v %v", o.Source.Text, o.Source.Holes, o.Interface, o.Complete, o.OverBudget)
	return b.String()
}

// jobs are all examples of rules, all scripts of the case files, and among them broken and large ones.
func jobs(t *testing.T) []job {
	var all []job
	for _, r := range rules.All() {
		for i, e := range append(slices.Clone(r.Bad), r.Good...) {
			src, _, _, err := e.Marked()
			if err != nil {
				t.Fatal(err)
			}
			target, err := server.ParseTarget(server.DefaultTarget, !e.NoCluster)
			if e.Target != "" {
				target, err = server.ParseTarget(e.Target, !e.NoCluster)
			}
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, job{fmt.Sprintf("%s %d", r.Name, i), src, luacheck.Options{Target: target, SitesComplete: e.Sites != nil}, e.Calls()})
		}
	}
	paths, err := filepath.Glob("../testdata/cases/*/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no case files: %v", err)
	}
	opt := luacheck.Options{Target: defaultTarget(t)}
	var large strings.Builder
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range txtar.Parse(text).Files {
			if !strings.HasSuffix(f.Name, ".lua") {
				continue
			}
			lua := string(f.Data)
			all = append(all, job{path + " " + f.Name, syntax.Source{Text: lua}, opt, nil})
			if len(all)%7 == 0 {
				all = append(all, job{"half of " + path, syntax.Source{Text: lua[:len(lua)/2]}, opt, nil})
			}
			if fmt.Fprintf(&large, "local function f%d(KEYS, ARGV)\n%s\nend\n", len(all), lua); large.Len() > 20000 {
				all = append(all, job{"large, to " + path, syntax.Source{Text: large.String()}, opt, nil})
				large.Reset()
			}
		}
	}
	limit := strings.Repeat("local a = 1\n", 300) // read twice: a limit is exceeded
	return append(all, job{"too many locals", syntax.Source{Text: limit}, opt, nil})
}

// TestScratch compares what analyses find in shared memory with what they find in memory of their own, in three orders; and what was kept
// of the earlier ones must not change.
func TestScratch(t *testing.T) {
	all := jobs(t)
	own := make([]string, len(all))
	for i := range all {
		own[i] = all[i].do(nil).text
	}
	order := rand.New(rand.NewPCG(1, 2)).Perm(len(all))
	forward := slices.Sorted(slices.Values(order))
	backward := slices.Clone(forward)
	slices.Reverse(backward)
	watched := &luacheck.Scratch{}
	watched.Watch(overwrite)
	shared := &luacheck.Scratch{}
	for _, run := range []struct {
		name  string
		m     *luacheck.Scratch
		order []int
	}{{"forward", shared, forward}, {"backward", shared, backward}, {"mixed", shared, order}, {"void memory overwritten", watched, forward}} {
		t.Run(run.name, func(t *testing.T) {
			kept := make([]*result, len(all))
			for _, i := range run.order {
				kept[i] = all[i].do(run.m)
				if kept[i].text != own[i] {
					t.Errorf("%s: in shared memory\n%s\nin its own\n%s", all[i].name, kept[i].text, own[i])
				}
			}
			for i, r := range kept {
				if now := r.String(); now != own[i] {
					t.Errorf("%s: later changed to\n%s\nfrom\n%s", all[i].name, now, own[i])
				}
			}
		})
	}
}

// TestOverwritten shows that the use of void memory would be seen: the facts of a script are others once the next is analysed.
func TestOverwritten(t *testing.T) {
	m := &luacheck.Scratch{}
	m.Watch(overwrite)
	opt := luacheck.Options{Target: defaultTarget(t), Scratch: m}
	p := luacheck.Analyze(syntax.Source{Text: "local n = redis.call('GET', KEYS[1]) return n + 1"}, nil, opt)
	call, name := p.Facts.Calls[0], p.Chunk.Body.Stmts[0].(*syntax.Local).Names[0]
	local, value := p.Facts.Scope.Ref(name), p.Facts.Calls[0].Args[1].Value
	luacheck.Analyze(syntax.Source{Text: "return 1"}, nil, opt)
	if call.Name != overwritten || name.Text != overwritten || local.Name != nil || value.Text != overwritten {
		t.Errorf("still there: %q %q %v %q", call.Name, name.Text, local.Name, value.Text)
	}
}

const overwritten = "void"

// overwrite gives all that is in a piece values that stand for nothing.
func overwrite(piece any) {
	v := reflect.ValueOf(piece)
	for i := range v.Len() {
		spoil(v.Index(i))
	}
}

func spoil(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Field(i)
			spoil(reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem())
		}
	case reflect.Array:
		for i := range v.Len() {
			spoil(v.Index(i))
		}
	case reflect.String:
		v.SetString(overwritten)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(-7.7e77)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(-77)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(177)
	default:
		v.SetZero()
	}
}
