import { S3Client } from "bun"
import { messageOf } from "../../../base/error-message.ts"
import { type Config, ConfigError } from "../../../config/config.ts"

type Env = Config["env"]

/** Trawl's own variables, and those of other tools. */
const variables = {
  accessKeyId: ["TRAWL_S3_ACCESS_KEY_ID", "AWS_ACCESS_KEY_ID"],
  secretAccessKey: ["TRAWL_S3_SECRET_ACCESS_KEY", "AWS_SECRET_ACCESS_KEY"],
  sessionToken: ["AWS_SESSION_TOKEN"],
  endpoint: ["TRAWL_S3_ENDPOINT", "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"],
  region: ["TRAWL_S3_REGION", "AWS_REGION", "AWS_DEFAULT_REGION"],
} as const

/** Returns the environment variables for S3. */
export function s3Environment(env: Env): Env {
  const names = Object.values(variables).flat()
  return Object.fromEntries(names.map((name) => [name, env[name]]))
}

/** @param setting Setting that refers to the bucket, for error messages. @throws ConfigError */
export function s3Client(setting: string, bucket: string, env: Env): S3Client {
  const credentials = Object.entries(variables).flatMap(([option, names]) => {
    const name = names.find((known) => env[known])
    return name === undefined ? [] : [[option, env[name]]]
  })
  const options = Object.fromEntries(credentials) as { [name in keyof typeof variables]?: string }
  if (!options.accessKeyId || !options.secretAccessKey) {
    throw new ConfigError(
      `${setting} needs S3 credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (or TRAWL_S3_ACCESS_KEY_ID and TRAWL_S3_SECRET_ACCESS_KEY) in the environment.`,
    )
  }
  return new S3Client({ bucket, ...options })
}

/** Adds the error code, because the message often lacks the reason. */
export async function reported<T>(response: Promise<T>): Promise<T> {
  try {
    return await response
  } catch (error) {
    const { code = "failed" } = error as { code?: string }
    throw new Error(`the storage returned ${code}: ${messageOf(error)}`, { cause: error })
  }
}
