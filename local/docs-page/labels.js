/** What Swagger UI leaves without a name for those who cannot see it, or without a way in for a keyboard. */
const MISSING = [
  ['textarea.body-param__text', { 'aria-label': 'Request body' }],
  ['.examples-select-element', { 'aria-label': 'Example' }],
  ['#auth-bearer-value', { 'aria-label': 'Access token' }],
  ['.close-modal', { 'aria-label': 'Close' }],
  // Its own label says other words than the button shows.
  ['.auth-btn-wrapper .authorize', { 'aria-label': 'Authorize' }],
  ['pre', { tabindex: '0' }],
];

/**
 * Adds the missing attributes to whatever is in an element, now and later.
 * @param {HTMLElement} root
 */
export function addLabels(root) {
  const add = () => {
    for (const [selector, attributes] of MISSING) {
      for (const element of root.querySelectorAll(selector)) {
        for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      }
    }
  };
  new MutationObserver(add).observe(root, { childList: true, subtree: true });
}
