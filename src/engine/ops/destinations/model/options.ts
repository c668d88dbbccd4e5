/** Kinds of destinations, and what each is. */
export const destinationKinds = {
  postgres: "Table of a PostgreSQL database",
  s3: "Objects of an S3-compatible storage",
  webhook: "Signed POST requests with batches of items",
  folder: "Files in a folder of the server (administrators only)",
} as const
export type DestinationKind = keyof typeof destinationKinds

export const objectFormats = ["jsonl", "csv", "parquet"] as const
export type ObjectFormat = (typeof objectFormats)[number]

/** Settings of a destination that are not secret. */
export interface DestinationOptions {
  /** Table of a database. */
  table?: string
  /** Schema of the table. Default `public`. */
  schema?: string
  /** Fields that identify an item: a later item with the same values replaces its row. */
  uniqueBy?: string[]
  bucket?: string
  region?: string
  /** Path in the bucket, or below the server's folder of destinations. */
  path?: string
  format?: ObjectFormat
  /** Maximum items of a request. */
  batchSize?: number
}

/** Settings of a destination that are stored encrypted. */
export interface DestinationSecret {
  /** URL of the database, of the storage or of the receiver. */
  url?: string
  accessKeyId?: string
  secretAccessKey?: string
  /** `whsec_…`, which signs requests. */
  signingSecret?: string
}

export const defaultBatchSize = 100
export const defaultSchema = "public"
export const defaultRegion = "us-east-1"

/** URL of a storage; without one, that of Amazon's region. */
export function storageUrl({ url }: DestinationSecret, { region }: DestinationOptions): string {
  return url ?? `https://s3.${region ?? defaultRegion}.amazonaws.com`
}
