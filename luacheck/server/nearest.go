package server

import "strings"

// NearestWord is the word of list that differs least from name, where it is near enough to be a slip of the keyboard (a distance of at most
// 2, and less than half of the name); "" where none is. Letter case does not count. The first of the nearest wins.
func NearestWord(name string, list []string) string {
	name = strings.ToLower(name)
	limit := 2
	if len(name) <= 4 {
		limit = 1
	}
	best, bestAt := "", limit+1
	for _, word := range list {
		if d := distance(name, strings.ToLower(word), bestAt); d < bestAt {
			best, bestAt = word, d
		}
	}
	return best
}

// distance counts the insertions, deletions, replacements and swaps of neighbours that turn a into b; it gives limit for limit and more.
func distance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit || len(a) > 64 {
		return limit
	}
	var before, last, row [72]int
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return min(last[len(b)], limit)
}
