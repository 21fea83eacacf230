package server

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// DefaultTarget is the target of users who name none.
const DefaultTarget = "redis@7.0+,valkey@7.2+"

// ParseTarget reads a comma list of servers; an item may be
//
//	redis, valkey      every known minor version
//	redis@7            every known minor version of that major version
//	redis@7.0          the last patch of that minor version
//	redis@7.0.15       just that patch
//	redis@7.0+         that one (or its last patch) and every later known minor version
//	dragonfly          a server with rules of its own, beside others or alone; at most one
//
// Spaces around items and letter case do not matter; a server named twice counts once. An error is one line and names what is known.
// cluster is what the user said of cluster mode; the profiles that are clusters turn it on.
func ParseTarget(text string, cluster bool) (Target, error) {
	t := Target{Cluster: cluster, index: new(index)}
	for item := range strings.SplitSeq(text, ",") {
		item = strings.ToLower(strings.TrimSpace(item))
		if item == "" {
			return Target{}, fmt.Errorf("target %q has an empty item; write a list such as %s", text, DefaultTarget)
		}
		if err := t.add(item); err != nil {
			return Target{}, err
		}
	}
	slices.SortFunc(t.Builds, compareBuilds)
	t.Builds = slices.Compact(t.Builds)
	t.Cluster = t.Cluster || t.Profile == AliyunCluster || t.Profile == ElastiCacheServerless
	return t, nil
}

func compareBuilds(a, b Build) int {
	if a.Profile != b.Profile {
		return int(a.Profile) - int(b.Profile)
	}
	if a.Product != b.Product {
		return int(a.Product) - int(b.Product)
	}
	return a.Version.Compare(b.Version)
}

// add takes one item of the list, in lower case.
func (t *Target) add(item string) error {
	name, version, hasVersion := strings.Cut(item, "@")
	var product Product
	switch name {
	case "redis":
		product = Redis
	case "valkey":
		product = Valkey
	default:
		return t.addProfile(item, name, hasVersion)
	}
	list := minors[product]
	if !hasVersion {
		return t.addVersions(product, list)
	}
	number, plus := strings.CutSuffix(version, "+")
	v, parts, ok := parseVersion(number)
	if !ok {
		return fmt.Errorf("target %q has no version that can be read; write %s@%s, %s@%s+ or %s@MAJOR.MINOR.PATCH", item, name, list[len(list)-1], name, list[len(list)-1], name)
	}
	at := slices.IndexFunc(list, func(m Version) bool { return m.Major == v.Major && (parts == 1 || m.Minor == v.Minor) })
	if at < 0 {
		return fmt.Errorf("target %q is not a known version%s; known are %s", item, nearVersion(name, v, list), versionList(list))
	}
	switch {
	case plus && parts == 3:
		return t.addVersions(product, append([]Version{v}, list[at+1:]...))
	case plus:
		return t.addVersions(product, list[at:])
	case parts == 3:
		return t.addVersions(product, []Version{v})
	case parts == 2:
		return t.addVersions(product, list[at:at+1])
	}
	for end := at; ; end++ {
		if end == len(list) || list[end].Major != v.Major {
			return t.addVersions(product, list[at:end])
		}
	}
}

func (t *Target) addVersions(p Product, versions []Version) error {
	for _, v := range versions {
		t.Builds = append(t.Builds, Build{Product: p, Version: v})
	}
	return nil
}

func (t *Target) addProfile(item, name string, hasVersion bool) error {
	for p := Dragonfly; p <= Upstash; p++ {
		if profileNames[p].word != name {
			continue
		}
		if hasVersion {
			return fmt.Errorf("target %q takes no version; write %s", item, name)
		}
		if t.Profile != NoProfile && t.Profile != p {
			return fmt.Errorf("target %q is a second server beside %s with rules of its own; run once for each", item, profileNames[t.Profile].word)
		}
		t.Profile = p
		t.Builds = append(t.Builds, profileBuild(p))
		return nil
	}
	known := targetWords()
	hint := ""
	if near := NearestWord(name, known); near != "" {
		hint = fmt.Sprintf(", did you mean %q?", near)
	}
	return fmt.Errorf("target %q is not a known server%s; known are %s, the first two with a version such as %s", item, hint, strings.Join(known, ", "), DefaultTarget)
}

func targetWords() []string {
	known := []string{"redis", "valkey"}
	for _, p := range profileNames[Dragonfly:] {
		known = append(known, p.word)
	}
	return known
}

// parseVersion reads 1 to 3 numbers below LastPatch. A missing patch is LastPatch.
func parseVersion(text string) (v Version, parts int, ok bool) {
	fields := strings.Split(text, ".")
	if len(fields) > 3 {
		return v, 0, false
	}
	numbers := [3]uint8{0, 0, LastPatch}
	for i, f := range fields {
		n, err := strconv.ParseUint(f, 10, 8)
		if err != nil || n == LastPatch || len(f) > 3 {
			return v, 0, false
		}
		numbers[i] = uint8(n)
	}
	return Version{numbers[0], numbers[1], numbers[2]}, len(fields), true
}

// nearVersion suggests the known minor version that is nearest to an unknown one.
func nearVersion(name string, v Version, list []Version) string {
	best := list[0]
	for _, m := range list {
		if !v.Less(Version{m.Major, m.Minor, 0}) {
			best = m
		}
	}
	return fmt.Sprintf(", did you mean %s@%s?", name, best)
}

func versionList(list []Version) string {
	words := make([]string, len(list))
	for i, v := range list {
		words[i] = v.String()
	}
	return strings.Join(words, " ")
}

// String is a form that ParseTarget reads back: ranges up to the newest known version as "redis@7.0+".
func (t Target) String() string {
	var words []string
	for p, list := range minors {
		words = append(words, t.productWords(Product(p), list)...)
	}
	if t.Profile != NoProfile {
		words = append(words, profileNames[t.Profile].word)
	}
	return strings.Join(words, ",")
}

func (t Target) productWords(p Product, list []Version) []string {
	var have []Version
	for _, b := range t.Builds {
		if b.Product == p && b.Profile == NoProfile {
			have = append(have, b.Version)
		}
	}
	name := strings.ToLower(p.String())
	var words []string
	for i, v := range have {
		rest := slices.IndexFunc(list, func(m Version) bool { return m.Major == v.Major && m.Minor == v.Minor })
		if rest >= 0 && len(have)-i > 1 && slices.Equal(have[i+1:], list[rest+1:]) {
			return append(words, name+"@"+v.String()+"+")
		}
		words = append(words, name+"@"+v.String())
	}
	return words
}
