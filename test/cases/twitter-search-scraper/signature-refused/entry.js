import"./assets/layout-Q1w2E3r4.js";import("./assets/client-transaction-id-plugin-Zx98Cv76.js");
const search={params:{id:"BGd0T_j7oVwlW5U79tO_0A",metadata:{},name:"SearchTimeline",operationKind:"query"}};
