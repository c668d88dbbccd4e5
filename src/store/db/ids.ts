/** Returns an ID that sorts by time: a prefix and a UUIDv7 without dashes. */
export function newId(
  prefix:
    | "run"
    | "ds"
    | "agt"
    | "acc"
    | "key"
    | "bat"
    | "sch"
    | "whk"
    | "ntf"
    | "dlv"
    | "lnk"
    | "rcp"
    | "dst"
    | "rdl"
    | "ses",
): string {
  return `${prefix}_${Bun.randomUUIDv7().replaceAll("-", "")}`
}

/**
 * Returns the ID that is always the same for `name`, in the same form and sorted by the given time.
 */
export function idOf(prefix: "run", milliseconds: number, name: string): string {
  const hash = new Bun.CryptoHasher("sha256").update(name).digest("hex")
  const time = milliseconds.toString(16).padStart(12, "0").slice(-12)
  // Version 7 and variant 8, like a UUIDv7.
  return `${prefix}_${time}7${hash.slice(0, 3)}8${hash.slice(3, 18)}`
}

/** Returns a random ID: the ID of an anonymous caller's file is the only secret that protects it. */
export const newFileId = () => `file_${crypto.randomUUID().replaceAll("-", "")}`
