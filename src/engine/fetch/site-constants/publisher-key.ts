/**
 * The public key of published tables: Ed25519, SPKI in base64. `bun
 * scripts/release/sign-upstreams.ts --new-key` creates a key pair and prints the private key for
 * the repository's secret UPSTREAMS_SIGNING_KEY.
 */
export const publisherKey = "MCowBQYDK2VwAyEAi3krL40ZeHDxtZgfy40M1HUI6ii6tHrsHnBz67tV3LY="
