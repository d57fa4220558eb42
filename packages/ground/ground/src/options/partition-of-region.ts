/** One part of AWS: its own accounts, addresses and ARNs. */
export interface Partition {
  /** The second part of its ARNs. */
  readonly name: string;
  /** The end of its hosts, without a point in front. */
  readonly dnsSuffix: string;
}

const others: readonly (readonly [prefix: string, name: string, dnsSuffix: string])[] = [
  ['cn-', 'aws-cn', 'amazonaws.com.cn'],
  ['us-gov-', 'aws-us-gov', 'amazonaws.com'],
  ['eusc-', 'aws-eusc', 'amazonaws.eu'],
  ['us-iso-', 'aws-iso', 'c2s.ic.gov'],
  ['us-isob-', 'aws-iso-b', 'sc2s.sgov.gov'],
  ['eu-isoe-', 'aws-iso-e', 'cloud.adc-e.uk'],
  ['us-isof-', 'aws-iso-f', 'csp.hci.ic.gov'],
];

/** The part of AWS that a Region belongs to, as the SDK's own table has it; `aws` for a Region that no other part has, and without one. */
export function partitionOfRegion(region: string | undefined): Partition {
  const [, name, dnsSuffix] = others.find(([prefix]) => region?.startsWith(prefix)) ?? [
    '',
    'aws',
    'amazonaws.com',
  ];
  return { name, dnsSuffix };
}
