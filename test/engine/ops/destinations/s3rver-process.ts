/**
 * s3rver as a separate process, so that a test can kill it: `s3rver-process.ts <port> <folder>`.
 */
// @ts-expect-error It has no types.
import S3rver from "s3rver"

const [port, directory] = process.argv.slice(2)
await new S3rver({
  ...{ address: "127.0.0.1", port: Number(port), directory, silent: true },
  configureBuckets: [{ name: "lake" }],
}).run()
console.log("ready")
