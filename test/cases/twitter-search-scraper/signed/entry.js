import"./assets/layout-Q1w2E3r4.js";import("./assets/client-transaction-id-plugin-Zx98Cv76.js");
