import { getResolvedPDFJS } from "unpdf"
import { type DocumentResources, UnreadableDocument, unreadable } from "../pages/document-page.ts"

export type Pdf = Awaited<
  ReturnType<Awaited<ReturnType<typeof getResolvedPDFJS>>["getDocument"]>["promise"]
>

/** Larger images are skipped, because PDF.js decodes the images of each page whose drawing is examined. */
const maxImagePixels = 100_000_000

/** @throws UnreadableDocument */
export async function openPdf(
  bytes: Uint8Array,
  { characterMap }: DocumentResources,
): Promise<Pdf> {
  const { getDocument } = await getResolvedPDFJS()
  /** Files that PDF.js requests: character maps only, because fonts are never drawn. */
  class Files {
    async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
      if (kind === "cMapUrl") return characterMap(filename)
      throw new Error(`The file ${filename} is not available.`)
    }
  }
  try {
    return await getDocument({
      data: bytes,
      disableFontFace: true,
      // Names of glyphs.
      fontExtraProperties: true,
      useSystemFonts: true,
      useWorkerFetch: false,
      BinaryDataFactory: Files,
      stopAtErrors: false,
      maxImageSize: maxImagePixels,
      verbosity: 0,
    }).promise
  } catch (error) {
    if ((error as Error).name === "PasswordException") {
      throw new UnreadableDocument(
        "The PDF is encrypted, and opens with a password only.",
        "encrypted_document",
      )
    }
    throw unreadable("The PDF is damaged: its pages cannot be found.")
  }
}
