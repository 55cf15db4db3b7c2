package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/pem"
	"fmt"
	"strings"
)

// papers are the files that every host of a cluster gets: names, ssh keys and settings. The keys are made for one
// cluster, live in its hosts' memory only and open nothing else.
type papers struct {
	hosts      string // /etc/hosts
	sshConfig  string // /etc/ssh/ssh_config
	sshdConfig string
	knownHosts string
	hostKey    string // private key of every ssh server
	userKey    string // private key of root
	userPublic string
}

// Where the papers lie in a host.
const desk = "/run/weft-host"

// write makes the papers of a cluster.
func write(c Config) (*papers, error) {
	hostKey, hostPublic, err := newKey()
	if err != nil {
		return nil, err
	}
	userKey, userPublic, err := newKey()
	if err != nil {
		return nil, err
	}
	return &papers{
		hosts:      hostsFile(c),
		sshConfig:  sshConfig,
		sshdConfig: sshdConfig + setPath(c.Path),
		knownHosts: "h*,10.77.* " + hostPublic + "\n",
		hostKey:    hostKey,
		userKey:    userKey,
		userPublic: userPublic + "\n",
	}, nil
}

func hostsFile(c Config) string {
	var text strings.Builder
	text.WriteString("127.0.0.1 localhost\n::1 localhost\n")
	for i := range c.Hosts {
		fmt.Fprintf(&text, "%v %s\n", address(i, 0), hostName(i))
		for rail := range c.Rails {
			fmt.Fprintf(&text, "%v %s-r%d\n", address(i, rail), hostName(i), rail)
		}
	}
	return text.String()
}

const sshConfig = `Host h* 10.77.*
  IdentityFile ` + desk + `/id
  IdentitiesOnly yes
  UserKnownHostsFile ` + desk + `/known_hosts
  StrictHostKeyChecking yes
  BatchMode yes
  ConnectTimeout 5
  LogLevel ERROR
`

const sshdConfig = `Port 22
HostKey ` + desk + `/hostkey
AuthorizedKeysFile ` + desk + `/id.pub
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
StrictModes no
UsePAM no
UseDNS no
MaxStartups 200
MaxSessions 200
PidFile none
LogLevel ERROR
AcceptEnv LANG LC_*
Subsystem sftp internal-sftp
`

func setPath(path string) string {
	if path == "" {
		return ""
	}
	return `SetEnv "PATH=` + path + `"` + "\n"
}

// newKey makes a key pair in the two forms that ssh reads: the private one in PEM, the public one in a line.
func newKey() (private, public string, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return "", "", err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return "", "", err
	}
	point, err := key.PublicKey.Bytes()
	if err != nil {
		return "", "", err
	}
	const kind = "ecdsa-sha2-nistp256"
	var blob []byte
	for _, field := range [][]byte{[]byte(kind), []byte("nistp256"), point} {
		blob = binary.BigEndian.AppendUint32(blob, uint32(len(field)))
		blob = append(blob, field...)
	}
	private = string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}))
	return private, kind + " " + base64.StdEncoding.EncodeToString(blob), nil
}
