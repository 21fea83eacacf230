package server

import (
	"strings"
	"testing"
)

func mustTarget(t testing.TB, text string) Target {
	t.Helper()
	tg, err := ParseTarget(text, false)
	if err != nil {
		t.Fatal(err)
	}
	return tg
}

func names(builds []Build) string {
	var words []string
	for _, b := range builds {
		words = append(words, b.String())
	}
	return strings.Join(words, ", ")
}

func TestParseTarget(t *testing.T) {
	for _, c := range []struct{ text, builds, back string }{
		{"redis@7.0", "Redis 7.0", "redis@7.0"},
		{"redis@7.2.4", "Redis 7.2.4", "redis@7.2.4"},
		{"redis@7.2.4+", "Redis 7.2.4, Redis 7.4, Redis 8.0, Redis 8.2, Redis 8.4, Redis 8.6", "redis@7.2.4+"},
		{"redis@7", "Redis 7.0, Redis 7.2, Redis 7.4", "redis@7.0,redis@7.2,redis@7.4"},
		{"redis@8+", "Redis 8.0, Redis 8.2, Redis 8.4, Redis 8.6", "redis@8.0+"},
		{" Redis@8.4+ , VALKEY@9.0+", "Redis 8.4, Redis 8.6, Valkey 9.0, Valkey 9.1", "redis@8.4+,valkey@9.0+"},
		{"valkey,valkey@8.1.1", "Valkey 7.2, Valkey 8.0, Valkey 8.1.1, Valkey 8.1, Valkey 9.0, Valkey 9.1", ""},
		{"redis@6.2,redis@6.2", "Redis 6.2", "redis@6.2"},
		{"redis@2.6", "Redis 2.6", "redis@2.6"},
		{"dragonfly", "Dragonfly", "dragonfly"},
		{"redis@7.0,upstash", "Redis 7.0, Upstash", "redis@7.0,upstash"},
	} {
		tg := mustTarget(t, c.text)
		if got := names(tg.Builds); got != c.builds {
			t.Errorf("%q: builds %s, want %s", c.text, got, c.builds)
		}
		if c.back != "" && tg.String() != c.back {
			t.Errorf("%q: String %s, want %s", c.text, tg, c.back)
		}
	}
}

func TestDefaultTarget(t *testing.T) {
	tg := mustTarget(t, DefaultTarget)
	if got := tg.String(); got != DefaultTarget {
		t.Errorf("String %s, want %s", got, DefaultTarget)
	}
	if tg.Cluster || tg.Profile != NoProfile {
		t.Errorf("default target has a profile or a cluster: %+v", tg)
	}
}

func TestClusterProfiles(t *testing.T) {
	for text, want := range map[string]bool{"aliyun-cluster": true, "elasticache-serverless": true, "dragonfly": false, "redis@7.0": false} {
		if got := mustTarget(t, text).Cluster; got != want {
			t.Errorf("%s: cluster %t, want %t", text, got, want)
		}
	}
	if tg, _ := ParseTarget("redis@7.0", true); !tg.Cluster {
		t.Error("cluster was asked for and is off")
	}
}

func TestParseTargetErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `target "" has an empty item; write a list such as redis@7.0+,valkey@7.2+`},
		{"redis@7.0,", `target "redis@7.0," has an empty item; write a list such as redis@7.0+,valkey@7.2+`},
		{"reddis@7", `target "reddis@7" is not a known server, did you mean "redis"?; known are redis, valkey, dragonfly, aliyun-cluster, elasticache-serverless, kvrocks, upstash, the first two with a version such as redis@7.0+,valkey@7.2+`},
		{"redis@7.1", `target "redis@7.1" is not a known version, did you mean redis@7.0?; known are 2.6 2.8 3.0 3.2 4.0 5.0 6.0 6.2 7.0 7.2 7.4 8.0 8.2 8.4 8.6`},
		{"valkey@7.0+", `target "valkey@7.0+" is not a known version, did you mean valkey@7.2?; known are 7.2 8.0 8.1 9.0 9.1`},
		{"redis@seven", `target "redis@seven" has no version that can be read; write redis@8.6, redis@8.6+ or redis@MAJOR.MINOR.PATCH`},
		{"redis@7.0.255", `target "redis@7.0.255" has no version that can be read; write redis@8.6, redis@8.6+ or redis@MAJOR.MINOR.PATCH`},
		{"dragonfly@1.2", `target "dragonfly@1.2" takes no version; write dragonfly`},
		{"kvrocks,dragonfly", `target "dragonfly" is a second server beside kvrocks with rules of its own; run once for each`},
	} {
		_, err := ParseTarget(c.text, false)
		if err == nil || err.Error() != c.want {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

func FuzzParseTarget(f *testing.F) {
	for _, s := range []string{DefaultTarget, "redis@7.2.4+,valkey", "kvrocks", "redis@", "@,@", "redis@99999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tg, err := ParseTarget(text, false)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("error of more than one line: %q", err)
			}
			return
		}
		if len(tg.Builds) == 0 {
			t.Fatalf("%q: no builds and no error", text)
		}
		again, err := ParseTarget(tg.String(), false)
		if err != nil || names(again.Builds) != names(tg.Builds) {
			t.Errorf("%q: %q reads back as %s (%v), want %s", text, tg, names(again.Builds), err, names(tg.Builds))
		}
	})
}
