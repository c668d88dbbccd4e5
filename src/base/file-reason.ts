import { messageOf } from "./error-message.ts"

const reasons: Record<string, string> = {
  EACCES: "this user has no permission",
  EEXIST: "it is a file",
  EPERM: "this user has no permission",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of the path is a file",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
}

/** Returns the reason of a file error in words. @param missing The reason of a missing file */
export function fileReason(error: unknown, missing: string): string {
  const { code } = error as { code?: string }
  if (code === "ENOENT") return missing
  return (code && reasons[code]) ?? messageOf(error)
}
