/** The pack: `pulumi preview --policy-pack examples/policy`. In JavaScript: what starts a pack compiles TypeScript its own way. */
import { PolicyPack } from "@pulumi/policy";
import { policies } from "./policies.ts";

new PolicyPack("shop", { enforcementLevel: "mandatory", policies });
