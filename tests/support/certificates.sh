#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# certificates.sh: makes in the current folder an authority (ca.pem) and certificates by it, NAME.pem and NAME.key each: good,
# old (expired), other (of another host), me (a client's).
set -eu
key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1.key" 2>/dev/null; }
key ca
openssl req -x509 -new -key ca.key -out ca.pem -subj "/CN=Example Root CA" -days 30
# NAME SUBJECT-ALT-NAME DAYS
make() {
  key "$1"
  printf 'subjectAltName=%s' "$2" >"$1.ext"
  openssl req -new -key "$1.key" -out "$1.csr" -subj "/CN=$1"
  openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -out "$1.pem" -extfile "$1.ext" -days "$3" 2>/dev/null
}
make good IP:127.0.0.1,IP:::1,DNS:localhost 30
make old IP:127.0.0.1 -1
make other DNS:other.example 30
make me DNS:me.example 30
