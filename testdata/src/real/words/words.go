// Package words hands the words of commands on in functions of its own: by name and the rest, all in one list, through one another.
package words

import (
	"context"

	"github.com/gomodule/redigo/redis"
	goredis "github.com/redis/go-redis/v9"
)

// Store keeps its connections to itself.
type Store struct {
	pool *redis.Pool
	sha  string
}

func (s *Store) do(cmd string, args ...interface{}) (interface{}, error) {
	conn := s.pool.Get()
	defer conn.Close()
	return conn.Do(cmd, args...)
}

// retry hands on what do hands on.
func (s *Store) retry(cmd string, args ...interface{}) (interface{}, error) {
	reply, err := s.do(cmd, args...)
	if err != nil {
		reply, err = s.do(cmd, args...)
	}
	return reply, err
}

func exec(conn redis.Conn, cmd string, args ...interface{}) (interface{}, error) {
	return conn.Do(cmd, args...)
}

// changed runs something else than it is told to.
func changed(conn redis.Conn, cmd string, args ...interface{}) (interface{}, error) {
	cmd = "ECHO"
	return conn.Do(cmd, args...)
}

func (s *Store) load(text string) (interface{}, error) {
	return s.do("SCRIPT", "LOAD", text)
}

// eval takes keys and arguments in one list.
func (s *Store) eval(text string, keys int, keysAndArgs ...interface{}) (interface{}, error) {
	return s.do("EVAL", append([]interface{}{text, keys}, keysAndArgs...)...)
}

// Init loads a script.
func (s *Store) Init() (err error) {
	s.sha, err = redis.String(s.load("return redis.call('DECR', KEYS[1])"))
	return err
}

// Run runs scripts in each way.
func (s *Store) Run(conn redis.Conn, id string) {
	s.do("GET", id)
	s.do("EVAL", "return redis.call('INCR', KEYS[1])", 1, "n:"+id)
	redis.Int(s.retry("eval", "return redis.call('INCRBY', KEYS[1], ARGV[1])", 1, "n:"+id)) // want missing-argv@80
	exec(conn, "EVAL", "return redis.call('GET', KEYS[1])", 0)                              // want numkeys@2
	changed(conn, "EVAL", "return redis.call('GET', KEYS[1])", 0)
	s.eval("return redis.call('APPEND', KEYS[1], ARGV[1])", 1, "t:"+id) // want missing-argv@2
	s.do("EVALSHA", s.sha, 1, id)                                       // want noscript-fallback@2
}

// Client hands words on to a client that takes them in one list.
type Client struct{ c *goredis.Client }

// Do is the client's.
func (c *Client) Do(ctx context.Context, words ...any) *goredis.Cmd {
	return c.c.Do(ctx, words...)
}

// Run runs a script.
func (c *Client) Run(ctx context.Context, key string) error {
	return c.Do(ctx, "EVAL", "return redis.call('STRLEN', KEYS[2])", 1, key).Err() // want numkeys@70
}
