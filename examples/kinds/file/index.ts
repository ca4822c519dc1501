import { File } from "pulumi-shop";

const sizes = new File("sizes", { filename: "sizes.csv", content: "size,cm\nS,86\nM,94\n" });
export const address = sizes.absoluteUrl;
