import { fits, LEAST, type Plant, REQUIRED, TEXT, WHOLE } from '../../contract/examples.ts';

/** The properties that a plant may lack. */
export const OPTIONAL = Object.keys(WHOLE).filter((name) => !REQUIRED.includes(name));

/** Names of properties as the header of CSV. */
export function csvHeader(names: readonly string[]): string {
  return names.map((name) => (/[",;\t]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join();
}

/** The fields of a plant as a row of CSV, in the order of its properties. */
export function csvFields(plant: Plant): string {
  const fields = Object.values(plant).map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  );
  return fields.map((field) => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join();
}

/** A plant with a text; without it, if a plant has none, or the limits of the model do not allow it. */
export function withText(text: string, plant = LEAST): Plant {
  return TEXT !== undefined && fits(TEXT, text) ? { ...plant, [TEXT]: text } : plant;
}

/** CSV with tabs in place of the commas that separate fields. */
export function withTabs(csv: string): string {
  return csv.replaceAll(/,(?=(?:[^"]|"[^"]*")*$)/g, '\t');
}
