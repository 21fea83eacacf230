package analyzer

import (
	"cmp"
	"go/token"
	"iter"
	"math"
	"slices"
)

// ruleFile is what a range holds for.
type ruleFile struct{ rule, file string }

// ruleRanges are the ranges of comments for quick search: a file may hold thousands of both comments and findings.
type ruleRanges map[ruleFile]*fileRanges

type fileRanges struct {
	list  []*goRange  // by their start
	reach []token.Pos // where the ranges up to each one have all ended
}

const endless = token.Pos(math.MaxInt)

func (r *goRange) end() token.Pos {
	if r.to.IsValid() {
		return r.to
	}
	return endless
}

func sortRanges(all []*goRange) ruleRanges {
	byRule := ruleRanges{}
	for _, r := range all {
		key := ruleFile{r.rule, r.file}
		if byRule[key] == nil {
			byRule[key] = &fileRanges{}
		}
		byRule[key].list = append(byRule[key].list, r)
	}
	for _, f := range byRule {
		slices.SortStableFunc(f.list, func(a, b *goRange) int { return cmp.Compare(a.from, b.from) })
		last := token.NoPos
		for _, r := range f.list {
			last = max(last, r.end())
			f.reach = append(f.reach, last)
		}
	}
	return byRule
}

// around gives the ranges that hold a position.
func (f *fileRanges) around(pos token.Pos) iter.Seq[*goRange] {
	return func(yield func(*goRange) bool) {
		if f == nil {
			return
		}
		behind, _ := slices.BinarySearchFunc(f.list, pos+1, func(r *goRange, pos token.Pos) int { return cmp.Compare(r.from, pos) })
		for i := behind - 1; i >= 0 && f.reach[i] > pos; i-- {
			if pos < f.list[i].end() && !yield(f.list[i]) {
				return
			}
		}
	}
}
