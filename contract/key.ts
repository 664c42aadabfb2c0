import { keyLike } from './key-like.ts';
import { OPENAPI } from './openapi.ts';

export const {
  isNumber: IS_NUMBER,
  reserved: RESERVED,
  idOf,
  idJson,
  noId: NO_ID,
} = keyLike(OPENAPI.components.schemas.NewPlant.properties?.id);
