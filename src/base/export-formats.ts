/** The export formats of items, for the API, the command line and the console. */
export const exportFormats = {
  json: { name: "JSON", mediaType: "application/json;charset=utf-8", extension: "json" },
  jsonl: { name: "JSON Lines", mediaType: "application/jsonl;charset=utf-8", extension: "jsonl" },
  csv: { name: "CSV", mediaType: "text/csv;charset=utf-8", extension: "csv" },
  xlsx: {
    name: "Excel",
    mediaType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    extension: "xlsx",
  },
  parquet: { name: "Parquet", mediaType: "application/vnd.apache.parquet", extension: "parquet" },
  /** One file per page. */
  md: { name: "Markdown", mediaType: "application/zip", extension: "zip" },
} as const

export type ExportFormat = keyof typeof exportFormats

export const exportFormatNames = Object.keys(exportFormats) as ExportFormat[]

/** Formats with all items in one file, which the console offers for download. */
export const downloadFormats = ["csv", "xlsx", "parquet", "jsonl"] as const satisfies ExportFormat[]

/** Formats of differences and computed rows, whose columns may change their types. */
export const diffFormats = ["json", "jsonl", "csv", "xlsx"] as const satisfies ExportFormat[]

/** Returns the media types of export formats, without parameters. */
export const exportTypes = (formats: readonly ExportFormat[] = exportFormatNames) =>
  formats.map((format) => exportFormats[format].mediaType.replace(/;.*/, ""))
