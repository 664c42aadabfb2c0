import type { Variant } from './subject.ts';

/** Faults of the service that the histories must find: each is one change of its sources. */
export const VARIANTS: readonly Variant[] = [
  {
    name: 'no equality branch',
    file: 'lambda/store/plant-table.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source's text.
    from: '`${idIsFree} OR (${isSamePlant})`',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: likewise.
    to: '`${idIsFree} AND NOT (${isSamePlant})`',
  },
  {
    name: 'a miss is remembered',
    file: 'lambda/store/access-token-table.ts',
    from: '!Number.isFinite(item.expires)) return undefined;',
    to: `!Number.isFinite(item.expires)) {
      this.#remember(digest, { name: '', expires: 0, readAt });
      return undefined;
    }`,
  },
  {
    name: '200 before the write',
    file: 'lambda/create-plant.ts',
    from: 'request.outcome = await plants.create(request.plant, request.signal);',
    to: "plants.create(request.plant, request.signal).catch(() => undefined); request.outcome = 'created';",
  },
  {
    name: 'no abort',
    file: 'lambda/request/request.ts',
    from: 'setTimeout(() => stop.abort(), ',
    to: 'setTimeout(() => undefined, ',
  },
  {
    name: 'a put without a condition',
    file: 'lambda/store/plant-table.ts',
    from: "const idIsFree = 'attribute_not_exists(#id)';",
    to: "const idIsFree = 'attribute_exists(#id) OR attribute_not_exists(#id)';",
  },
  {
    name: 'a lost write is forgotten',
    file: 'lambda/store/store.ts',
    from: "mayBeWritten ||= kind === 'write' && fault === 'NO_RESPONSE';",
    to: '',
  },
  {
    name: 'a revoked token is remembered too long',
    file: 'lambda/limits.ts',
    from: 'TOKEN_CACHE_MS = 60_000',
    to: 'TOKEN_CACHE_MS = 120_000',
  },
  {
    name: 'an expired token is accepted from memory',
    file: 'lambda/store/access-token-table.ts',
    from: '!known || known.expires * 1000 <= this.#clocks.now()',
    to: '!known || (known.expires * 1000 <= this.#clocks.now() && known.readAt.now === this.#clocks.now())',
  },
  {
    name: 'the client says that nothing was stored',
    file: 'client/src/repeat.ts',
    from: 'return before || statusOf(error) === 504;',
    to: 'return false;',
  },
];
