package perf

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
)

// The greeting: both ends name their version and, where a key is set, prove that they know it without sending it.
// The proof covers both nonces and the side, so that nothing can be replayed.

const nonceBytes = 16

func newNonce() []byte {
	nonce := make([]byte, nonceBytes)
	_, _ = rand.Read(nonce) // never fails
	return nonce
}

func proof(key []byte, side string, client, server []byte) []byte {
	mac := hmac.New(sha256.New, key)
	for _, part := range [][]byte{[]byte("weft verbs " + side), client, server} {
		mac.Write(part)
	}
	return mac.Sum(nil)
}

var errKey = errors.New("the two ends have different keys: give both the same --key-file")

// greetServer is the client's half.
func greetServer(c *control, test, host string, key []byte) (peer string, err error) {
	mine := hello{Version: controlVersion, Test: test, Host: host, Keyed: len(key) > 0, Nonce: newNonce()}
	if err := c.say(message{Say: sayHello, Hello: &mine}); err != nil {
		return "", err
	}
	m, err := c.expect(sayHello, patience)
	if err != nil {
		return "", err
	}
	theirs := m.Hello
	switch {
	case theirs.Version != controlVersion:
		return "", versionError(theirs.Version)
	case theirs.Keyed != mine.Keyed:
		return "", keyedError(theirs.Keyed)
	case mine.Keyed && !hmac.Equal(theirs.Proof, proof(key, "server", mine.Nonce, theirs.Nonce)):
		return "", errKey
	}
	answer := hello{Version: controlVersion}
	if mine.Keyed {
		answer.Proof = proof(key, "client", mine.Nonce, theirs.Nonce)
	}
	c.known.Store(true)
	if err := c.say(message{Say: sayProof, Hello: &answer}); err != nil {
		return "", err
	}
	_, err = c.expect(sayCome, patience)
	return theirs.Host, err
}

// greetClient is the server's half but for the last word, which lets the client in. It returns the
// test the client is about to run.
func greetClient(c *control, host string, key []byte) (test string, err error) {
	m, err := c.expect(sayHello, patience)
	if err != nil {
		return "", err
	}
	theirs := m.Hello
	mine := hello{Version: controlVersion, Host: host, Keyed: len(key) > 0, Nonce: newNonce()}
	if len(theirs.Nonce) != nonceBytes {
		return "", errors.New("the greeting has no nonce")
	}
	if mine.Keyed && theirs.Keyed {
		mine.Proof = proof(key, "server", theirs.Nonce, mine.Nonce)
	}
	if err := c.say(message{Say: sayHello, Hello: &mine}); err != nil {
		return "", err
	}
	switch {
	case theirs.Version != controlVersion:
		return "", versionError(theirs.Version)
	case theirs.Keyed != mine.Keyed:
		return "", keyedError(theirs.Keyed)
	}
	if m, err = c.expect(sayProof, patience); err != nil {
		return "", err
	}
	if mine.Keyed && !hmac.Equal(m.Hello.Proof, proof(key, "client", theirs.Nonce, mine.Nonce)) {
		return "", errKey
	}
	c.known.Store(true)
	return theirs.Test, nil
}

func versionError(theirs int) error {
	return fmt.Errorf("the other end speaks version %d of the control protocol, this one version %d: use the same weft on both",
		theirs, controlVersion)
}

func keyedError(theirs bool) error {
	if theirs {
		return errors.New("the other end wants a key: add its --key-file")
	}
	return errors.New("the other end has no key: start it with the same --key-file")
}
