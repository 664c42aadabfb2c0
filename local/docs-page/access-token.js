const KEY = 'plant-store-access-token';

/** The token, from pasted text that may be the whole Authorization header. */
function withoutScheme(text) {
  return text.trim().replace(/^(?:authorization: *)?bearer +/i, '');
}

/** A plugin for Swagger UI that accepts a pasted `Bearer …`, and keeps the token until the tab is closed. */
export const accessTokenPlugin = {
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (authorize) => (payload) => {
          const value = withoutScheme(payload.bearer?.value ?? '');
          sessionStorage.setItem(KEY, value);
          return authorize({ ...payload, bearer: { ...payload.bearer, value } });
        },
        logout: (logout) => (names) => {
          sessionStorage.removeItem(KEY);
          return logout(names);
        },
      },
    },
  },
};

/** Authorizes with the token that was entered before the page was reloaded, if there is one. */
export function restoreAccessToken(ui) {
  const token = sessionStorage.getItem(KEY);
  if (token) ui.preauthorizeApiKey('bearer', token);
}
