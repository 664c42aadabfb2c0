/**
 * Follows the brackets of one JSON value that comes in pieces, of which none ends in an escape.
 * @returns a function that gets each piece, and returns where it ends: after the value or before it, inside it, or in a string in it
 */
export function bracketFollower(): (piece: string) => 'closed' | 'open' | 'in a string' {
  let depth = 0;
  let isInString = false;
  return (piece) => {
    for (let at = 0; at < piece.length; at += 1) {
      const each = piece[at];
      if (isInString) {
        if (each === '\\') at += 1;
        else if (each === '"') isInString = false;
      } else if (each === '"') isInString = true;
      else if (each === '{' || each === '[') depth += 1;
      else if (each === '}' || each === ']') depth -= 1;
    }
    if (isInString) return 'in a string';
    return depth > 0 ? 'open' : 'closed';
  };
}
