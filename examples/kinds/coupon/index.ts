import { Coupon } from "pulumi-shop";

new Coupon("spring", { code: "SPRING", discount: 10, typeId: 1, expiredAt: "2030-05-31", minPrice: 30 });
