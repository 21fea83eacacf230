package bench

import (
	"bytes"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestVetAgrees: go vet and the standalone mode say the same of the same code: real modules, and every package that redislint is tested on.
// Packages with wrappers in modules that are not named may differ, since only go vet sees facts of every dependency; none of these modules has
// one.
func TestVetAgrees(t *testing.T) {
	bin := build(t)
	for _, m := range modules[:4] {
		agree(t, bin, ".", m)
	}
	for _, dir := range []string{"..", "../heavy"} {
		agree(t, bin, dir, module{path: dir, packages: []string{"./..."}})
	}
}

func agree(t *testing.T, bin, dir string, m module) {
	var alone []string
	for _, f := range lint(t, bin, dir, m.packages).Findings {
		alone = append(alone, fmt.Sprintf("%s:%d:%d: %s: %s", short(f.File, m), f.Line, f.Column, f.Rule, f.Message))
	}
	vetted := vet(t, bin, dir, m)
	slices.Sort(alone)
	slices.Sort(vetted)
	if !slices.Equal(alone, vetted) {
		t.Errorf("%s: standalone\n%s\ngo vet\n%s", m.path, strings.Join(alone, "\n"), strings.Join(vetted, "\n"))
	}
	if len(alone) == 0 && dir != "." {
		t.Errorf("%s: no findings", m.path)
	}
	t.Logf("%s: %d findings both ways", m.path, len(alone))
}

// vet runs go vet in the folder of a module and gives its lines as FILE:LINE:COLUMN: RULE: MESSAGE.
func vet(t *testing.T, bin, dir string, m module) []string {
	cmd := exec.Command("go", append([]string{"vet", "-vettool=" + bin, "-tests=false"}, m.packages...)...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() < 0 {
		t.Fatal(err)
	}
	var out []string
	for _, line := range strings.Split(stderr.String(), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		file, rest, ok := strings.Cut(line, ":")
		no, rest, ok2 := strings.Cut(rest, ":")
		col, text, ok3 := strings.Cut(rest, ": ")
		if !ok || !ok2 || !ok3 {
			t.Fatalf("go vet says: %s", stderr.String())
		}
		if strings.HasPrefix(text, "\t") {
			continue // a related place
		}
		out = append(out, fmt.Sprintf("%s:%s:%s: %s", short(file, m), no, col, text))
	}
	return out
}
