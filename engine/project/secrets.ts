/** Pulumi's passphrase secrets: AES-256-GCM with a key that PBKDF2 derives from the passphrase and the stack's salt. */
import { createCipheriv, createDecipheriv, pbkdf2Sync, randomBytes } from "node:crypto";
import { diskFiles, type Files, readFault } from "../common/disk.ts";

export interface Crypter {
  encrypt(plaintext: string): string;
  decrypt(ciphertext: string): string;
}

const iterations = 1_000_000;

/** Keys by salt and passphrase: deriving one takes a third of a second, and a run opens its stack more than once. */
const keys = new Map<string, Buffer>();

function keyOf(passphrase: string, salt: Buffer): Buffer {
  const name = `${salt.toString("base64")} ${passphrase}`;
  const key = keys.get(name) ?? pbkdf2Sync(passphrase, salt, iterations, 32, "sha256");
  keys.set(name, key);
  return key;
}

function crypterOf(passphrase: string, salt: Buffer): Crypter {
  const key = keyOf(passphrase, salt);
  return {
    encrypt(plaintext) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      const sealed = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `v1:${nonce.toString("base64")}:${sealed.toString("base64")}`;
    },
    decrypt(ciphertext) {
      const [version, nonce, sealed] = ciphertext.split(":");
      if (version !== "v1" || nonce === undefined || sealed === undefined)
        throw new Error("a secret is not in Pulumi's form v1:nonce:ciphertext");
      const bytes = Buffer.from(sealed, "base64");
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64"));
        decipher.setAuthTag(bytes.subarray(-16));
        return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString("utf8");
      } catch (cause) {
        throw new Error(
          "a secret was not encrypted under this stack's passphrase, or is damaged; set it again",
          {
            cause,
          },
        );
      }
    },
  };
}

/**
 * Opens a stack's secrets.
 * @param encryptionSalt `v1:salt:v1:nonce:ciphertext`; the ciphertext verifies the passphrase
 * @throws Error if the passphrase is wrong
 */
export function openCrypter(passphrase: string, encryptionSalt: string): Crypter {
  const [version, salt, ...check] = encryptionSalt.split(":");
  if (version !== "v1" || salt === undefined)
    throw new Error("encryptionsalt is not in Pulumi's form v1:salt:v1:nonce:ciphertext");
  const crypter = crypterOf(passphrase, Buffer.from(salt, "base64"));
  let proof: string | undefined;
  try {
    proof = crypter.decrypt(check.join(":"));
  } catch {
    // A failed authentication means a wrong passphrase.
  }
  if (proof !== "pulumi")
    throw new Error(
      "incorrect passphrase: set PULUMI_CONFIG_PASSPHRASE, or PULUMI_CONFIG_PASSPHRASE_FILE, to the stack's own",
    );
  return crypter;
}

/** Creates a salt for a passphrase, in the form of Pulumi.<stack>.yaml. */
export function newEncryptionSalt(passphrase: string): string {
  const salt = randomBytes(8);
  return `v1:${salt.toString("base64")}:${crypterOf(passphrase, salt).encrypt("pulumi")}`;
}

/** The stack's secrets don't use a passphrase: only Pulumi's own engine opens them. */
export class SecretsProviderError extends Error {
  override readonly name = "SecretsProviderError";
  /** `awskms://...`, or a type as a state names it. */
  readonly provider: string;
  constructor(message: string, provider: string) {
    super(message);
    this.provider = provider;
  }
}

/** Returns the passphrase. @param isNew whether the stack has no secret yet */
export type Passphrase = (isNew?: boolean) => string;

/** The passphrase of the stack's secrets isn't set. */
export class PassphraseError extends Error {
  override readonly name = "PassphraseError";
  /** Whether the stack has no secret yet, so any passphrase will do. */
  readonly isNew: boolean;
  constructor(isNew: boolean) {
    super(
      isNew
        ? "passphrase must be set with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE: it encrypts the stack's secrets. " +
            "Make one, and keep it: without it the secrets are lost.\n" +
            "  export PULUMI_CONFIG_PASSPHRASE=$(openssl rand -base64 24)\n" +
            '  $env:PULUMI_CONFIG_PASSPHRASE = "$(New-Guid)$(New-Guid)"      (PowerShell)\n' +
            '  echo "$PULUMI_CONFIG_PASSPHRASE"                              shows it, to be kept'
        : "passphrase must be set with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE: use the one that encrypted the " +
            "stack's secrets",
    );
    this.isNew = isNew;
  }
}

/** Reads the passphrase from PULUMI_CONFIG_PASSPHRASE, or from the file that PULUMI_CONFIG_PASSPHRASE_FILE names. */
export function passphraseOf(
  env: Readonly<Record<string, string | undefined>>,
  files: Files = diskFiles,
): Passphrase {
  return (isNew = false) => {
    if (env.PULUMI_CONFIG_PASSPHRASE !== undefined) return env.PULUMI_CONFIG_PASSPHRASE;
    if (env.PULUMI_CONFIG_PASSPHRASE_FILE !== undefined)
      return passphraseIn(files, env.PULUMI_CONFIG_PASSPHRASE_FILE);
    throw new PassphraseError(isNew);
  };
}

function passphraseIn(files: Files, path: string): string {
  try {
    return files.read(path).toString("utf8").trim();
  } catch (cause) {
    throw new Error(
      `the file ${path}, which PULUMI_CONFIG_PASSPHRASE_FILE names, can't be read: ${readFault(cause)}`,
      { cause },
    );
  }
}
