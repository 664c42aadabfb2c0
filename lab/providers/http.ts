interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** A form (URLSearchParams) or JSON. */
  readonly body?: URLSearchParams | object;
}

/** Sends a request. @returns its JSON, or null if it has none @throws Error if the status is not 2xx */
export async function send<Result>(url: string, { body, headers = {}, ...options }: Sent): Promise<Result> {
  const isForm = body instanceof URLSearchParams;
  const response = await fetch(url, {
    ...options,
    headers: { ...(isForm || !body ? {} : { 'content-type': 'application/json' }), ...headers },
    body: isForm ? body : body && JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${new URL(url).pathname} responded ${response.status}: ${text}`);
  return JSON.parse(text || 'null');
}

/** Whether an address responds with a status of success. */
export function responds(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Gets a token from the token endpoint of a provider (RFC 6749 §3.2). @throws Error if it refuses */
export async function tokenFrom(
  url: string,
  form: Record<string, string>,
  name: 'access_token' | 'id_token' = 'access_token',
): Promise<string> {
  const body = new URLSearchParams(form);
  return (await send<Record<typeof name, string>>(url, { method: 'POST', body }))[name];
}

/** The part of a browser that a login needs: cookies, and redirects one at a time. */
export class Browser {
  readonly #cookies = new Map<string, string>();

  /** @param form is posted, if there is one @returns the page, and the address to which it redirects */
  async open(url: string, form?: URLSearchParams): Promise<{ page: string; location: string }> {
    const cookie = [...this.#cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { cookie, accept: 'text/html' };
    const response = await fetch(url, {
      headers,
      redirect: 'manual',
      ...(form && { method: 'POST', body: form }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      this.#cookies.set(name, value);
    }
    const location = response.headers.get('location');
    return { page: await response.text(), location: location ? new URL(location, url).href : '' };
  }
}
