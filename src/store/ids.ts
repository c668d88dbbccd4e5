/** Ids that sort by time: a prefix and a UUIDv7 without dashes. */
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
    | "rcp",
): string {
  return `${prefix}_${Bun.randomUUIDv7().replaceAll("-", "")}`
}

/** All of it is chance: whoever knows the id of a keyless caller's file may read it. */
export const newFileId = () => `file_${crypto.randomUUID().replaceAll("-", "")}`
