import { exerciseCluster } from "../../../test/kubernetes/exercise-cluster.ts";

exerciseCluster(1);
