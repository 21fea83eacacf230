package ruletest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
)

// Runner names, as Example.Differs uses them.
const (
	Miniredis = "miniredis"
	Redis     = "redis"
	Cluster   = "cluster"
)

// answerIn is how long a server may take for one command; examples that need longer say NotRun.
const answerIn = 2 * time.Second

// ErrNoServer is returned where there is no redis-server on PATH.
var ErrNoServer = errors.New("there is no redis-server on PATH; install it (apt-get install redis-server)")

// Server is a server under test: one node, or the nodes of a cluster.
type Server struct {
	Name    string // Miniredis, Redis or Cluster
	Version string // "7.0.15"; miniredis has none
	nodes   []node
}

type node struct {
	client *redis.Client
	addr   string
	stop   func()
}

// StartMiniredis starts an embedded server. Each example gets its own, since a script that hangs takes the server with it.
func StartMiniredis() (*Server, error) {
	m := miniredis.NewMiniRedis()
	if err := m.Start(); err != nil {
		return nil, fmt.Errorf("starting miniredis: %w", err)
	}
	// Close waits for a hanging script, so it must not hold up the test.
	return &Server{Name: Miniredis, nodes: []node{{connect(m.Addr()), m.Addr(), func() { go m.Close() }}}}, nil
}

// StartRedis starts the redis-server on PATH on a free loopback port.
func StartRedis() (*Server, error) {
	n, err := startNode()
	if err != nil {
		return nil, err
	}
	s := &Server{Name: Redis, nodes: []node{n}}
	s.Version = s.version()
	return s, nil
}

// StartCluster starts two nodes that share the slots: 0 to 8191 and 8192 to 16383.
func StartCluster() (*Server, error) {
	s := &Server{Name: Cluster}
	for range 2 {
		port, err := freePort()
		if err != nil {
			s.Stop()
			return nil, err
		}
		n, err := startNode("--cluster-enabled", "yes", "--cluster-port", strconv.Itoa(port), "--cluster-node-timeout", "5000")
		if err != nil {
			s.Stop()
			return nil, err
		}
		s.nodes = append(s.nodes, n)
	}
	s.Version = s.version()
	if err := s.join(); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

// join gives each node its half of the slots and waits until both call the cluster whole.
func (s *Server) join() error {
	s.On(0, "CLUSTER", "ADDSLOTSRANGE", "0", "8191")
	s.On(1, "CLUSTER", "ADDSLOTSRANGE", "8192", "16383")
	host, port, _ := net.SplitHostPort(s.nodes[1].addr)
	bus := strings.Trim(s.On(1, "CONFIG", "GET", "cluster-port"), `[]"`)
	bus = bus[strings.LastIndex(bus, `"`)+1:]
	if reply := s.On(0, "CLUSTER", "MEET", host, port, bus); reply != "+OK" {
		return fmt.Errorf("CLUSTER MEET: %s", reply)
	}
	for range 300 {
		if s.whole(0) && s.whole(1) {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return fmt.Errorf("the cluster did not come up: %s", s.On(0, "CLUSTER", "INFO"))
}

func (s *Server) whole(n int) bool {
	info := s.On(n, "CLUSTER", "INFO")
	return strings.Contains(info, "cluster_state:ok") && strings.Contains(info, "cluster_slots_assigned:16384") &&
		strings.Contains(info, "cluster_known_nodes:2")
}

// startNode starts one redis-server and waits until it answers. A port can be taken between finding and using it, so it tries again.
func startNode(options ...string) (node, error) {
	path, err := exec.LookPath("redis-server")
	if err != nil {
		return node{}, ErrNoServer
	}
	for range 3 {
		var n node
		if n, err = tryNode(path, options); err == nil {
			return n, nil
		}
	}
	return node{}, err
}

func tryNode(path string, options []string) (node, error) {
	port, err := freePort()
	if err != nil {
		return node{}, err
	}
	dir, err := os.MkdirTemp("", "ruletest-")
	if err != nil {
		return node{}, fmt.Errorf("a folder for redis-server: %w", err)
	}
	logFile := filepath.Join(dir, "log")
	args := append([]string{"--port", strconv.Itoa(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", dir,
		"--logfile", logFile, "--daemonize", "no", "--busy-reply-threshold", "500"}, options...)
	cmd := exec.Command(path, args...)
	dieWithParent(cmd)
	if err := cmd.Start(); err != nil {
		return node{}, fmt.Errorf("starting %s: %w", path, err)
	}
	addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	n := node{client: connect(addr), addr: addr}
	n.stop = func() {
		_ = cmd.Process.Kill() // it may have ended by itself
		_ = cmd.Wait()
		_ = os.RemoveAll(dir)
	}
	for range 100 {
		if n.client.Ping(context.Background()).Err() == nil {
			return n, nil
		}
		time.Sleep(30 * time.Millisecond)
	}
	log, _ := os.ReadFile(logFile)
	n.client.Close()
	n.stop()
	return node{}, fmt.Errorf("%s did not answer on %s: %.400s", path, addr, log)
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("a free port: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

func connect(addr string) *redis.Client {
	return redis.NewClient(&redis.Options{Addr: addr, Protocol: 2, DisableIdentity: true, MaxRetries: -1, PoolSize: 2,
		DialTimeout: answerIn, ReadTimeout: answerIn, WriteTimeout: answerIn, ContextTimeoutEnabled: true})
}

// Stop ends the server, by process id.
func (s *Server) Stop() {
	for _, n := range s.nodes {
		n.client.Close()
		n.stop()
	}
}

// Do sends a command to the first node and returns the reply in Notation, or "no answer: why".
func (s *Server) Do(words ...string) string { return s.On(0, words...) }

// On sends a command to a node.
func (s *Server) On(n int, words ...string) string {
	raw, err := s.rawOn(n, words)
	if err != nil {
		return "no answer: " + err.Error()
	}
	return Notation(raw)
}

// rawOn is On with the bytes of the reply.
func (s *Server) rawOn(n int, words []string) ([]byte, error) {
	args := make([]any, len(words))
	for i, w := range words {
		args[i] = w
	}
	return s.nodes[n].client.DoRaw(context.Background(), args...).Result()
}

// Batch sends commands to the first node in one go and returns their replies.
func (s *Server) Batch(commands [][]string) ([]string, error) {
	raw, err := s.rawBatch(commands)
	replies := make([]string, len(raw))
	for i := range raw {
		replies[i] = Notation(raw[i])
	}
	return replies, err
}

// rawBatch is Batch with the bytes of the replies.
func (s *Server) rawBatch(commands [][]string) ([][]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*answerIn)
	defer cancel()
	pipe := s.nodes[0].client.Pipeline()
	cmds := make([]*redis.RawCmd, len(commands))
	for i, words := range commands {
		args := make([]any, len(words))
		for j, w := range words {
			args[j] = w
		}
		cmds[i] = redis.NewRawCmd(ctx, args...)
		_ = pipe.Process(ctx, cmds[i]) // it only queues
	}
	_, _ = pipe.Exec(ctx) // each command has its own error
	replies := make([][]byte, len(cmds))
	for i, c := range cmds {
		var err error
		if replies[i], err = c.Result(); err != nil {
			return nil, fmt.Errorf("command %d of %d: %w", i, len(cmds), err)
		}
	}
	return replies, nil
}

// version asks the server; "" where it does not tell.
func (s *Server) version() string {
	_, rest, _ := strings.Cut(s.Do("INFO", "server"), "redis_version:")
	version, _, _ := strings.Cut(rest, `\r`)
	return version
}
