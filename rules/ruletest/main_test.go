package ruletest

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
)

// needServers is the variable that turns a missing redis-server from a skip into a failure; .ci/run sets it.
const needServers = "REDISLINT_NEED_SERVERS"

// The servers are started once, by the first test that needs them.
var (
	redisOnce   = sync.OnceValues(StartRedis)
	clusterOnce = sync.OnceValues(StartCluster)
	started     []func()
	startedLock sync.Mutex
)

func TestMain(m *testing.M) {
	code := m.Run()
	for _, stop := range started {
		stop()
	}
	os.Exit(code)
}

func liveRedis(t testing.TB) *Server   { return live(t, redisOnce) }
func liveCluster(t testing.TB) *Server { return live(t, clusterOnce) }

func live(t testing.TB, start func() (*Server, error)) *Server {
	t.Helper()
	s, err := start()
	if errors.Is(err, ErrNoServer) && os.Getenv(needServers) == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	startedLock.Lock()
	defer startedLock.Unlock()
	started = append(started, sync.OnceFunc(s.Stop))
	return s
}

// closing prints the one line with which a suite ends; it is meant to be seen without -v.
func closing(format string, args ...any) { fmt.Printf("ruletest: "+format+"\n", args...) }
