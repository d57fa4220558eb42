import { describe, expect, it } from 'vitest';
import { partitionOfRegion } from './partition-of-region.ts';

describe('partitionOfRegion', () => {
  it.each([
    ['us-west-2', 'aws', 'amazonaws.com'],
    ['mx-central-1', 'aws', 'amazonaws.com'],
    [undefined, 'aws', 'amazonaws.com'],
    ['cn-northwest-1', 'aws-cn', 'amazonaws.com.cn'],
    ['us-gov-west-1', 'aws-us-gov', 'amazonaws.com'],
    ['eusc-de-east-1', 'aws-eusc', 'amazonaws.eu'],
    ['us-iso-east-1', 'aws-iso', 'c2s.ic.gov'],
    ['us-isob-east-1', 'aws-iso-b', 'sc2s.sgov.gov'],
    ['eu-isoe-west-1', 'aws-iso-e', 'cloud.adc-e.uk'],
    ['us-isof-south-1', 'aws-iso-f', 'csp.hci.ic.gov'],
  ])('%s is of %s', (region, name, dnsSuffix) => {
    expect(partitionOfRegion(region)).toEqual({ name, dnsSuffix });
  });
});
