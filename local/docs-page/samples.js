/** The parts of a request that Swagger UI shows; its body is a string, never a file. */
function partsOf(request) {
  const headers = Object.entries(request.get('headers')?.toJS() ?? {});
  const { href } = new URL(request.get('url'), location.href);
  return { href, method: request.get('method').toUpperCase(), headers, body: request.get('body') ?? '' };
}

/** JSON's string literals are also valid in JavaScript and Python. */
const quoted = (text) => JSON.stringify(text);

function javascript(request) {
  const { href, method, headers, body } = partsOf(request);
  return `const response = await fetch(${quoted(href)}, {
  method: ${quoted(method)},
  headers: {
${headers.map(([name, value]) => `    ${quoted(name)}: ${quoted(value)},`).join('\n')}
  },
  // Text, because a JavaScript number would round a large id.
  body: ${quoted(body)},
});
console.log(response.status, await response.text());`;
}

function python(request) {
  const { href, method, headers, body } = partsOf(request);
  return `from urllib.error import HTTPError
from urllib.request import Request, urlopen

request = Request(
    ${quoted(href)},
    method=${quoted(method)},
    headers={
${headers.map(([name, value]) => `        ${quoted(name)}: ${quoted(value)},`).join('\n')}
    },
    data=${quoted(body)}.encode(),
)
try:
    response = urlopen(request)
except HTTPError as error:  # a 400, whose body says what is wrong
    response = error
print(response.status, response.read().decode())`;
}

/** A plugin for Swagger UI that also shows each request in JavaScript and Python. */
export const samplesPlugin = {
  fn: { requestSnippetGenerator_javascript: javascript, requestSnippetGenerator_python: python },
};

/** The languages in which Swagger UI shows a request. */
export const SAMPLES = {
  generators: {
    curl_bash: { title: 'curl', syntax: 'bash' },
    javascript: { title: 'JavaScript', syntax: 'javascript' },
    python: { title: 'Python', syntax: 'python' },
  },
  defaultExpanded: true,
  // Without this list, Swagger UI also shows PowerShell and CMD.
  languages: ['curl_bash', 'javascript', 'python'],
};
