#!/usr/bin/env bash
# LocalStack 4.12.0 (PyPI: localstack-core), an emulator of AWS.
#
# Guess: with GATEWAY_LISTEN=127.0.0.1:4566 it listens on 127.0.0.1 only.
# Seen:  of an IPv4 address it passes on the port only, so it listens on all addresses. Of an IPv6 address, such as [::1]:4566, it
#        passes on both. Nothing listens here: a recorder stands in for the server's endpoints.
set -euo pipefail
cd "$(mktemp -d)"
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check localstack-core==4.12.0 localstack-twisted==26.4.0 rolo==0.8.9 \
  pyOpenSSL==25.0.0 service-identity==24.2.0

cat > listen.py <<'PYTHON'
from localstack.config import HostAndPort
from localstack.runtime.server import twisted
from rolo.gateway import Gateway


class Recorder:
    def __init__(self, reactor, port, **options):
        print(port, options.get("interface", "all addresses"))

    def listen(self, factory):
        pass


twisted.endpoints.TCP4ServerEndpoint = twisted.endpoints.TCP6ServerEndpoint = Recorder
for host in ("127.0.0.1", "::1"):
    twisted.TwistedRuntimeServer().register(Gateway(), [HostAndPort(host, 4566)])
PYTHON
seen=$(python/bin/python listen.py 2> /dev/null) || { echo 'Changed: it does not run'; exit 1; }
[ "$seen" = $'4566 all addresses\n4566 ::1' ] || { echo "Changed: $seen"; exit 1; }
echo 'As found: LocalStack 4.12.0 ignores the IPv4 address of GATEWAY_LISTEN.'
