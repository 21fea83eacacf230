package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

// baselineKey tells findings apart in a way that outlives moved lines and changed indentation.
type baselineKey struct {
	Rule   string `json:"rule"`
	Script string `json:"script"`
	Line   string `json:"line"` // runs of blanks are one blank
}

// baselineFile is the file of -baseline.
type baselineFile struct {
	Version  int             `json:"version"`
	Findings []baselineEntry `json:"findings"`
}

type baselineEntry struct {
	baselineKey
	Count int `json:"count"`
}

const baselineVersion = 1

func keyOf(f finding) baselineKey {
	return baselineKey{Rule: f.rule.Name, Script: f.script, Line: strings.Join(strings.Fields(f.line), " ")}
}

// hash is a short mark of the key.
func (k baselineKey) hash() string {
	sum := sha256.Sum256([]byte(k.Rule + "\x00" + k.Script + "\x00" + k.Line))
	return hex.EncodeToString(sum[:8])
}

// readBaseline reads a baseline file.
func readBaseline(name string) (map[baselineKey]int, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("baseline: %w; -write-baseline makes one", err)
	}
	var file baselineFile
	dec := json.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(&file); err != nil {
		return nil, fmt.Errorf("baseline %s is not readable: %w", name, err)
	}
	if file.Version != baselineVersion {
		return nil, fmt.Errorf("baseline %s has version %d, and this redislint reads %d; write it again with -write-baseline", name, file.Version, baselineVersion)
	}
	counts := map[baselineKey]int{}
	for _, e := range file.Findings {
		counts[e.baselineKey] += e.Count
	}
	return counts, nil
}

// subtract leaves out findings that the baseline holds, the first ones of each key, and says how many entries are not needed any more. Those
// of a rule that did not run may still be: skipped tells.
func subtract(list []finding, counts map[baselineKey]int, skipped func(rule string) bool) (left []finding, stale int) {
	for _, f := range list {
		if key := keyOf(f); counts[key] > 0 {
			counts[key]--
		} else {
			left = append(left, f)
		}
	}
	for key, n := range counts {
		if !skipped(key.Rule) {
			stale += n
		}
	}
	return left, stale
}

// writeBaseline writes all findings to a baseline file, sorted, so that it merges well.
func writeBaseline(name string, list []finding) error {
	counts := map[baselineKey]int{}
	for _, f := range list {
		counts[keyOf(f)]++
	}
	file := baselineFile{Version: baselineVersion, Findings: []baselineEntry{}}
	for key, n := range counts {
		file.Findings = append(file.Findings, baselineEntry{key, n})
	}
	slices.SortFunc(file.Findings, func(a, b baselineEntry) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Script, b.Script), cmp.Compare(a.Line, b.Line))
	})
	var text bytes.Buffer
	if err := writeJSON(&text, file); err != nil {
		return err
	}
	return replaceFile(name, text.Bytes())
}
