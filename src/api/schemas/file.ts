import { Type } from "@sinclair/typebox"
import { filePath } from "../../engine/net/files/files.ts"
import type { FileRow } from "../../store/files/files.ts"
import { maybe, responseObject, time } from "./common.ts"

export const fileSchema = responseObject(
  {
    id: Type.String({ description: "`file_…`" }),
    name: Type.String({ description: "Such as `screenshot.png`." }),
    url: Type.String({ format: "uri" }),
    target: Type.Integer({ description: "Place of its target in the run, from 0." }),
    contentType: Type.String(),
    bytes: Type.Integer(),
    sha256: Type.String({ description: "Of its bytes, hexadecimal." }),
    createdAt: time("When it was made."),
    expiresAt: maybe(time("When it is deleted; null: with its run.")),
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
