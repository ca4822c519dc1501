import { Coupon } from "pulumi-shop";

new Coupon("spring", { code: "SPRING", discount: { percent: 10 }, expiredAt: "2030-05-31", minPrice: 30 });
