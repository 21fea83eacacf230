package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// dump is what one server said of its commands and of the names that scripts see. Short keys: hundreds of thousands of them are stored.
type dump struct {
	Server   string    `json:"server"` // product-version, "-debian" and the like behind it for a patched build
	Commands []command `json:"commands,omitempty"`
	// Globals are the names that can be read, fields as "table.field", each with "e" (in EVAL), "f" (in FCALL) or "ef" behind a space.
	Globals []string `json:"globals"`
}

type command struct {
	Name  string    `json:"n"`
	Arity int       `json:"a"`
	Flags []string  `json:"f"`
	Range []int     `json:"p,omitempty"` // first key, last key, step
	Keys  []keySpec `json:"k,omitempty"`
	Since string    `json:"s,omitempty"`
	Group string    `json:"g,omitempty"`
	Args  []arg     `json:"args,omitempty"`
	Subs  []command `json:"subs,omitempty"`
}

// keySpec: Word set is a keyword search that starts at Index, else a search by Index, where that is set; Range (last, step, limit) or Num
// (index of the number, first key, step).
type keySpec struct {
	Flags []string `json:"f"`
	Word  string   `json:"w,omitempty"`
	Index int      `json:"i,omitempty"`
	Range []int    `json:"r,omitempty"`
	Num   []int    `json:"m,omitempty"`
}

type arg struct {
	Name  string   `json:"n"`
	Type  string   `json:"t"`
	Token string   `json:"k,omitempty"`
	Flags []string `json:"f,omitempty"`
	Since string   `json:"s,omitempty"`
	Args  []arg    `json:"a,omitempty"`
}

func (d *dump) product() string { return strings.SplitN(d.Server, "-", 3)[0] }
func (d *dump) version() string { return strings.SplitN(d.Server, "-", 3)[1] }

// patched is whether the build carries changes that its version number does not show.
func (d *dump) patched() bool { return strings.Count(d.Server, "-") > 1 }

// readDumps reads all dumps of a folder: Redis before Valkey, oldest first, patched builds last.
func readDumps(dir string) ([]*dump, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json.gz"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no *.json.gz in %s: run from the root of the module, or name the folder with -dumps", dir)
	}
	var out []*dump
	for _, f := range files {
		d, err := readDump(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
		out = append(out, d)
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i], out[j]
		if a.patched() != b.patched() {
			return b.patched()
		}
		if a.product() != b.product() {
			return a.product() < b.product()
		}
		return parseVersion(a.version()).less(parseVersion(b.version()))
	})
	return out, nil
}

func readDump(file string) (*dump, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(z)
	if err != nil {
		return nil, err
	}
	d := new(dump)
	if err := json.Unmarshal(text, d); err != nil {
		return nil, err
	}
	if strings.Count(d.Server, "-") == 0 {
		return nil, fmt.Errorf("server %q is not product-version", d.Server)
	}
	return d, nil
}

// writeDump writes a dump so that the same content gives the same bytes.
func writeDump(dir string, d *dump) (string, error) {
	text, err := json.Marshal(d)
	if err != nil {
		return "", err
	}
	var buf bytes.Buffer
	z, err := gzip.NewWriterLevel(&buf, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := z.Write(text); err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	file := filepath.Join(dir, d.Server+".json.gz")
	return file, os.WriteFile(file, buf.Bytes(), 0o644)
}

// version is major, minor, patch.
type version [3]int

func (v version) less(w version) bool {
	for i := range v {
		if v[i] != w[i] {
			return v[i] < w[i]
		}
	}
	return false
}

// parseVersion reads "7.0.15"; what is missing or no number is 0.
func parseVersion(text string) (v version) {
	for i, f := range strings.SplitN(text, ".", 3) {
		fmt.Sscanf(f, "%d", &v[i])
	}
	return v
}

func (v version) literal() string {
	if v == (version{}) {
		return "Version{}"
	}
	return fmt.Sprintf("Version{%d, %d, %d}", v[0], v[1], v[2])
}
