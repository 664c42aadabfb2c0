import { keyLike } from './key-like.ts';
import { OPENAPI } from './openapi.ts';

export const {
  isNumber: IS_NUMBER,
  reserved: RESERVED,
  idOf,
  idJson,
} = keyLike(OPENAPI.components.schemas.NewPlant.properties?.id);
