package rules

import (
	"slices"
	"strings"

	"github.com/redislint/redislint/luacheck/server"
)

// buildWords names builds for a message: "Redis 7.0 to 8.6 and Valkey 7.2". Builds come oldest first, as in a target.
func buildWords(builds []server.Build) string {
	var parts []string
	for i := 0; i < len(builds); {
		first := builds[i]
		last := first
		for i++; i < len(builds) && first.Profile == server.NoProfile && builds[i].Profile == first.Profile && builds[i].Product == first.Product; i++ {
			last = builds[i]
		}
		words := first.String()
		if last != first {
			words += " to " + last.Version.String()
		}
		parts = append(parts, words)
	}
	return joinWords(parts, "and")
}

// joinWords writes a list for people: "a", "a and b", "a, b and c".
func joinWords(words []string, and string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " " + and + " " + words[last]
}

// without returns the builds of all that are not in some.
func without(all, some []server.Build) []server.Build {
	return slices.DeleteFunc(slices.Clone(all), func(b server.Build) bool { return slices.Contains(some, b) })
}
