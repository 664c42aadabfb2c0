/** The parts of a request that Swagger UI shows, as JSON, whose literals are also valid in JavaScript and Python. */
function partsOf(request, indent) {
  const { href } = new URL(request.get('url'), location.href);
  return {
    href: JSON.stringify(href),
    method: JSON.stringify(request.get('method').toUpperCase()),
    headers: JSON.stringify(request.get('headers'), null, indent).replaceAll('\n', `\n${indent}`),
    body: JSON.stringify(request.get('body') ?? ''),
  };
}

function javascript(request) {
  const { href, method, headers, body } = partsOf(request, '  ');
  return `const response = await fetch(${href}, {
  method: ${method},
  headers: ${headers},
  // Text, because a JavaScript number would round a large id.
  body: ${body},
});
console.log(response.status, await response.text());`;
}

function python(request) {
  const { href, method, headers, body } = partsOf(request, '    ');
  return `from urllib.error import HTTPError
from urllib.request import Request, urlopen

request = Request(
    ${href},
    method=${method},
    headers=${headers},
    data=${body}.encode(),
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
