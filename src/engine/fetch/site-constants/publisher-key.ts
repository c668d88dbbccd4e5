/**
 * The key that published tables are signed with: Ed25519, SPKI in base64. Made by
 * `bun scripts/release/sign-upstreams.ts --new-key`, which prints the private key for the repository's
 * secret UPSTREAMS_SIGNING_KEY.
 */
export const publisherKey = "MCowBQYDK2VwAyEAi3krL40ZeHDxtZgfy40M1HUI6ii6tHrsHnBz67tV3LY="
