import { fileReason } from "../../base/file-reason.ts"
import { BadUse } from "./bad-use.ts"

/** Returns the error of a file that cannot be read. */
export function cannotRead(path: string, error: unknown): BadUse {
  return new BadUse(`${path} cannot be read: ${fileReason(error, "the file does not exist")}.`)
}

/** Returns the error of a file that cannot be written. */
export function cannotWrite(path: string, error: unknown): BadUse {
  return new BadUse(`${path} cannot be written: ${fileReason(error, "its folder does not exist")}.`)
}

/** Returns the error of a folder without a recorded case. */
export function noRecordedCase(path: string, error: unknown): BadUse {
  return new BadUse(
    `${path} contains no recorded case: ${fileReason(error, "it has no case.json")}.`,
  )
}
