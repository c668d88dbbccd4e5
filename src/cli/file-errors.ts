import { messageOf } from "../base/error-message.ts"
import { BadUse } from "./bad-use.ts"

const reasons: Record<string, string> = {
  EACCES: "this user has no permission",
  EPERM: "this user has no permission",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of the path is a file",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
}

function reasonOf(error: unknown, missing: string): string {
  const { code } = error as { code?: string }
  if (code === "ENOENT") return missing
  return (code && reasons[code]) ?? messageOf(error)
}

/** Returns the error of a file that cannot be read. */
export function cannotRead(path: string, error: unknown): BadUse {
  return new BadUse(`${path} cannot be read: ${reasonOf(error, "the file does not exist")}.`)
}

/** Returns the error of a file that cannot be written. */
export function cannotWrite(path: string, error: unknown): BadUse {
  return new BadUse(`${path} cannot be written: ${reasonOf(error, "its folder does not exist")}.`)
}

/** Returns the error of a folder without a recorded case. */
export function noRecordedCase(path: string, error: unknown): BadUse {
  return new BadUse(`${path} contains no recorded case: ${reasonOf(error, "it has no case.json")}.`)
}
