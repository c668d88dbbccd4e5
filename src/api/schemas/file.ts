import { Type } from "@sinclair/typebox"
import { filePath } from "../../engine/net/files/files.ts"
import type { FileRow } from "../../store/files/files.ts"
import { maybe, responseObject, time } from "./common.ts"

export const fileSchema = responseObject(
  {
    id: Type.String({ description: "`file_…`" }),
    name: Type.String({ description: "File name, for example `screenshot.png`." }),
    url: Type.String({ format: "uri" }),
    target: Type.Integer({ description: "Index of its target in the run, from 0." }),
    contentType: Type.String(),
    bytes: Type.Integer(),
    sha256: Type.String({ description: "SHA-256 hash of the content (hexadecimal)." }),
    createdAt: time("Time of creation."),
    expiresAt: maybe(time("Time of deletion; null if it is deleted with its run.")),
  },
  { $id: "File" },
)

export function fileResponse(file: FileRow, root: string) {
  return {
    id: file.id,
    name: file.name,
    url: root + filePath(file.id),
    target: file.seq,
    contentType: file.media_type,
    bytes: file.bytes,
    sha256: file.sha256,
    createdAt: file.created_at,
    expiresAt: file.expires_at,
  }
}
