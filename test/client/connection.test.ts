// Address and credentials from arguments, configuration and environment; all failures at once.
import { describe, expect, test } from "vitest";
import { accessToken, type ConnectionError, resolveConnection } from "../../provider/client/connection.ts";

const password = "4c3f4c197336eb97475506e71c839c71";
const env = { SHOP_URL: "https://shop.example.test", SHOP_APPLICATION_ID: "app", SHOP_PASSWORD: password };

describe("the connection", () => {
  test("settings come from arguments, then the configuration, then the environment", () => {
    const config = (key: string) => ({ "shop:url": "https://config.test", "shop:capacity": "50" })[key];
    expect(resolveConnection({ env })).toMatchObject({
      url: "https://shop.example.test",
      applicationId: "app",
      password,
      capacityPercent: 100,
    });
    expect(resolveConnection({ config, env })).toMatchObject({
      url: "https://config.test",
      capacityPercent: 50,
    });
    expect(resolveConnection({ settings: { url: "argument.test" }, config, env }).url).toBe(
      "https://argument.test",
    );
  });

  test("the default maximum wait for the rate limit is an hour", () => {
    expect(resolveConnection({ env }).maxWaitMs).toBe(3_600_000);
    expect(resolveConnection({ env: { ...env, SHOP_MAX_WAIT: "0" } }).maxWaitMs).toBe(0);
    expect(
      resolveConnection({ config: (key) => (key === "shop:maxWait" ? "60" : undefined), env }).maxWaitMs,
    ).toBe(60_000);
  });

  test("the access token is computed from token and secret as documented", () => {
    expect(accessToken("token123", "mysecret")).toBe(password);
    expect(accessToken("12345", "12345")).toBe("8cfa2282b17de0a598c010f5f0109e7d");
    const { SHOP_PASSWORD: _none, ...rest } = env;
    expect(
      resolveConnection({ env: { ...rest, SHOP_TOKEN: "token123", SHOP_SECRET: "mysecret" } }).password,
    ).toBe(password);
  });

  test.each([
    ["http://shop.example.test", "plain http"],
    ["https://user:secret@shop.test", "must not contain credentials"],
    ["https://shop.test/admin", "must be the host only"],
    ["ftp://shop.test", "must be an address"],
    ["httpsx://shop.test", "must be an address"],
    ["https://", "must be an address"],
    ["my shop", "must be an address"],
    ["https://user@shop.test", "must not contain credentials"],
    ["https://:secret@shop.test", "must not contain credentials"],
    ["https://shop.test/?a=1", "must be the host only: https://shop.test"],
    ["https://shop.test/#a", "must be the host only: https://shop.test"],
    ["http://127.0.0.1.shop.test", "plain http"],
    ["http://shop.127.0.0.1.test", "plain http"],
    ["http://x127.0.0.1.test", "plain http"],
    ["http://128.0.0.1", "plain http"],
    ["http://localhost.shop.test", "plain http"],
  ])("refuses %s, and shows no secret", (url, why) => {
    expect(() => resolveConnection({ env: { ...env, SHOP_URL: url } })).toThrow(why);
    expect(() => resolveConnection({ env: { ...env, SHOP_URL: url } })).not.toThrow("secret@");
  });

  test.each([
    "http://localhost:4000",
    "http://127.0.0.1:4000",
    "http://[::1]:4000",
    "http://127.255.10.254:1",
  ])("takes plain http of this machine: %s", (url) => {
    expect(resolveConnection({ env: { ...env, SHOP_URL: url } }).url).toBe(url);
  });

  const wrongOf = (more: Record<string, string>) => {
    try {
      resolveConnection({ env: { SHOP_URL: env.SHOP_URL, SHOP_APPLICATION_ID: "app", ...more } });
    } catch (error) {
      return (error as ConnectionError).wrong;
    }
    return [];
  };

  test("an application id with a colon is rejected", () => {
    expect(wrongOf({ SHOP_PASSWORD: password, SHOP_APPLICATION_ID: "a:b" })).toEqual([
      "shop:applicationId must not contain a colon: HTTP Basic can't carry one",
    ]);
  });

  test("a token requires a secret and a secret a token; a password requires neither", () => {
    const computed = "the access token is computed from both";
    expect(wrongOf({ SHOP_TOKEN: "t" })).toEqual([`shop:token is set without shop:secret: ${computed}`]);
    expect(wrongOf({ SHOP_SECRET: "s" })).toEqual([`shop:secret is set without shop:token: ${computed}`]);
    expect(wrongOf({ SHOP_TOKEN: "t", SHOP_SECRET: "s" })).toEqual([]);
    expect(wrongOf({ SHOP_TOKEN: "t", SHOP_PASSWORD: password })).toEqual([]);
    expect(wrongOf({})).toEqual([
      "the application's password is not set: set SHOP_PASSWORD in the environment",
    ]);
  });

  test.each([
    [`x${password}`, ""],
    [`${password}0`, ""],
    [password.toUpperCase(), ", some in capital letters"],
    [password.slice(1), ""],
  ])("%s is no access token", (text, slip) => {
    expect(wrongOf({ SHOP_PASSWORD: text })).toEqual([
      `shop:password must be the application's password from the back office, 32 lowercase hex digits; got ${text.length} characters${slip}`,
    ]);
  });

  test.each([
    ["capacity", "1", { capacityPercent: 1 }],
    ["capacity", "100", { capacityPercent: 100 }],
    ["perPage", "10", { perPage: 10 }],
    ["perPage", "250", { perPage: 250 }],
    ["maxWait", "86400", { maxWaitMs: 86_400_000 }],
  ])("takes shop:%s %s", (name, value, taken) => {
    expect(resolveConnection({ settings: { [name]: value }, env })).toMatchObject(taken);
  });

  test("the message for a missing setting names the stack's configuration before the environment", () => {
    expect(() => resolveConnection({ config: () => undefined, env: {} })).toThrow(
      "the application's password is not set: pulumi config set --secret shop:password ..., or SHOP_PASSWORD in the environment",
    );
  });

  test("the message for a missing setting uses the caller's instructions", () => {
    const told: string[] = [];
    const howToSet = (key: string, isSecret: boolean) => {
      told.push(`${key} ${isSecret}`);
      return "press the button";
    };
    expect(() => resolveConnection({ env: {}, howToSet })).toThrow(
      "press the button, or SHOP_URL in the environment",
    );
    expect(told).toEqual(["shop:url false", "shop:applicationId false", "shop:password true"]);
  });

  test.each([
    ["capacity", "0"],
    ["capacity", "101"],
    ["capacity", "x"],
    ["perPage", "5"],
    ["perPage", "1000"],
    ["maxWait", "-1"],
    ["maxWait", "86401"],
    ["maxWait", "1h"],
  ])("refuses shop:%s %s", (name, value) => {
    expect(() => resolveConnection({ settings: { [name]: value }, env })).toThrow(`shop:${name}`);
  });
});
