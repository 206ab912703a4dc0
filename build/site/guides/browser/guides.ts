import { offerToCopy } from '../../reference/browser/copy-samples.ts';
import { fillInOrigin } from '../../reference/browser/origin.ts';
import { tabSamples } from '../../reference/browser/sample-tabs.ts';

fillInOrigin();
tabSamples();
offerToCopy();
